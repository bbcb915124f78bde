import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

@Suite("QuakeML is valid", .endsInTime, .scratch) struct QuakeMLSchemaTests {
    private static let hasLint = ProcessRunner.succeeds("xmllint", "--version")
    private static let project = Fixture.projectDirectory.path
    /// A Python with ObsPy: the system's, or the one used to test recipes.
    private static let python = ["python3", project + "/.build/recipes-venv/bin/python"]
        .first { ProcessRunner.succeeds($0, "-c", "import obspy") }

    /// QuakeML files from all fixtures with the details of one quake, for every event type, and from real weeks.
    private func documents() async throws -> [String] {
        let (cache, scratch) = try Cache.andFolderOfTest()
        let names = ["feeds", "malformed"].flatMap { folder in
            ((try? Fixture.names(in: folder)) ?? []).map { "\(folder)/\($0)" }
        }
        for name in names { try await cache.run("refresh", Fixture.url(name).path) }
        var catalog = try EventCatalog(of: cache)
        catalog.details["us7000zzay"] = try Fixture.data("details/us7000zzay.geojson")
        let server = try EventServiceServer.ofTest(catalog)
        try await cache.output("details", "--service-url", server.queryURL, "us7000zzay")
        let types = String(decoding: try Fixture.data("quakeml/event-types.txt"), as: UTF8.self).split(separator: "\n")
        try QuakeContext(QuakeCache(path: cache.path)).write { writer in
            for (index, type) in types.enumerated() {
                var quake = Quake(sample: "xx\(index)", magnitude: 2)
                quake.eventType = String(type)
                try writer.insert(quake, reason: .new)
            }
        }
        let fixtures = try await cache.output("list", "--format", "quakeml")
        #expect(fixtures.contains("<momentTensor") && fixtures.contains("<nodalPlane2"))
        let others = try await cache.output("list", "--net", "xx", "--format", "quakeml")
        #expect(types.count == 51 && others.components(separatedBy: "<type>other event<").count == 3)
        var texts = [fixtures]
        if RealData.isPresent {
            let real = try Cache.ofTest(environment: ["QUAKES_DB": scratch.path("real.db")])
            try await real.refreshWeeks("20T1423Z", "22T2039Z")
            texts.append(try await real.output("list", "--format", "quakeml"))
        }
        try await cache.output("purge", "--net", "xx")
        #expect(try await cache.run("show", "xx1", "--format", "quakeml").output.contains("<type>not existing<"))
        return try texts.enumerated().map { try scratch.write(Data($1.utf8), to: "\($0).xml") }
    }

    @Test(
        "xmllint validates the QuakeML output against the schema",
        .enabled(if: hasLint, "needs xmllint, of Debian's package libxml2-utils"))
    func xmllint() async throws {
        let schema = Fixture.url("quakeml/event.rng").path
        let result = try await ProcessRunner(path: "/usr/bin/env")
            .run(["xmllint", "--noout", "--huge", "--relaxng", schema] + documents())
        #expect(result.exitStatus == 0, "\(result.errorOutput.prefix(2000))")
    }

    @Test("ObsPy reads every event of the QuakeML output", .enabled(if: python != nil, "needs ObsPy for Python"))
    func obsPy() async throws {
        for path in try await documents() {
            let script = Self.project + "/Tests/QuakeML/check_quakeml.py"
            let result = try await ProcessRunner(path: "/usr/bin/env").run(Self.python ?? "", script, path)
            let events = try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "<event ").count - 1
            #expect(result.output == "\(events)\n", "\(result.errorOutput.suffix(2000))")
        }
    }
}
