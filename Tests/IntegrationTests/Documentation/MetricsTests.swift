import Foundation
import QuakeTestSupport
import Testing

@Suite("Metrics for Prometheus", .endsInTime, .scratch) struct MetricsTests {
    private static let promtool = "/usr/bin/promtool"
    private static let canCheck = FileManager.default.isExecutableFile(atPath: promtool)

    @Test("output.md lists exactly the Prometheus metrics that quakes status prints, in order")
    func documentedMetrics() async throws {
        let cache = try await Cache.ofDay()
        let lines = try await cache.output("status", "--format", "prometheus").split(separator: "\n")
        let names = lines.filter { $0.hasPrefix("# HELP ") }.map { String($0.split(separator: " ")[2]) }
        #expect(names == (try OutputDocument().fields["metrics"]))
        let samples = lines.filter { !$0.hasPrefix("#") }
        #expect(samples.contains("quakes_cache_quakes 24"))
        #expect(samples.contains(#"quakes_feed_quakes{feed="all_day"} 24"#))
        #expect(samples.contains(#"quakes_cache_problems{code="stale"} 1"#))
        #expect(samples.contains("quakes_transactions_total 1"))
    }

    @Test(
        "promtool accepts the metrics even if a label contains quotes and backslashes",
        .enabled(if: canCheck, "needs promtool, of Debian's package prometheus"))
    func promtoolAcceptsMetrics() async throws {
        let (cache, scratch) = try Cache.andFolderOfTest()
        let feed = try scratch.write(Fixture.data("feeds/all_day-1.geojson"), to: #"a "feed"\ .geojson"#)
        try await cache.output("refresh", "-q", feed, Fixture.url("feeds/all_day-2.geojson").path)
        try await cache.output(
            "changes", "--since-token", "--consumer", "back\\slash \"quote\"\nline", "--format", "csv")
        let metrics = try await cache.quakes.run(["status", "--format", "prometheus"])
        #expect(metrics.output.contains(#"{consumer="back\\slash \"quote\"\nline"} 0"#))
        let promtool = ProcessRunner(path: Self.promtool)
        let result = try await promtool.run(["check", "metrics"], input: metrics.standardOutput)
        #expect(result.exitStatus == 0 && result.output.isEmpty && result.errorOutput.isEmpty)
    }

    @Test(
        "The Prometheus alert rules pass promtool's syntax check and their unit tests",
        .enabled(if: canCheck, "needs promtool, of Debian's package prometheus"), arguments: ["check", "test"])
    func promtoolAcceptsAlerts(verb: String) async throws {
        let folder = Fixture.projectDirectory.appending(path: "Packaging/prometheus")
        let file = verb == "test" ? "quakes-alerts.test.yml" : "quakes-alerts.yml"
        let result = try await ProcessRunner(path: Self.promtool)
            .run([verb, "rules", folder.appending(path: file).path])
        #expect(result.exitStatus == 0, "\(result.output)\(result.errorOutput)")
    }

    @Test("The command in recipes/metrics.md writes the metrics file only if a cache exists")
    func recipeCommand() async throws {
        let page = try Document("Documentation/recipes/metrics.md")
        let script = try #require(
            page.blocks.first { $0.language == "sh" && $0.lines.joined().contains("quakes status") })
        let (cache, scratch) = try Cache.andFolderOfTest()
        let target = scratch.path("quakes.prom")
        let text = script.lines.joined(separator: "\n").replacing(
            "/var/lib/prometheus/node-exporter/quakes.prom", with: target)
        var shell = ProcessRunner(path: "/bin/sh", environment: cache.quakes.environment)
        let programs = URL(filePath: cache.quakes.executable).deletingLastPathComponent().path
        shell.environment["PATH"] = "\(programs):/usr/bin:/bin"
        #expect(try await shell.run("-c", text).exitStatus == 66)
        #expect(!FileManager.default.fileExists(atPath: target))
        try await cache.refresh("all_day-1")
        #expect(try await shell.run("-c", text).exitStatus == 0)
        let written = try String(contentsOfFile: target, encoding: .utf8)
        #expect(written.contains("\nquakes_cache_quakes 24\n") && written.hasSuffix("\n"))
    }
}
