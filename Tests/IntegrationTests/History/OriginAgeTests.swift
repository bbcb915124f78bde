import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

/// `--max-origin-age` uses the quake's age when the cache learned of it.
@Suite("Alarms with a maximum origin age", .scratch) struct OriginAgeTests {
    @Test("quakes changes --max-origin-age 1d skips a 2021 feed's quakes and prints how many it skips", .needsRealData)
    func archiveIsSkipped() async throws {
        let cache = try Cache.ofTest()
        try await cache.refreshWeeks("22T2039Z")
        let options = ["changes", "--min-mag", "4.5", "--max-origin-age", "1d"]
        let end = try JSONValue(try await cache.quakes.run(options + ["--format", "json"]).standardOutput).elements[0]
        #expect(end["count"].integer == 0 && end["skipped_count"].integer == 77)
        #expect(end["largest_skipped"]["mag"].number == 6.7)
        let net = try await cache.quakes.run(options + ["--coalesce", "--format", "ndjson"])
        #expect(try JSONValue(net.standardOutput)["skipped_count"].integer == 77)
        let table = try await cache.quakes.run(options)
        #expect(table.output.hasPrefix("0 changes, through transaction 1; token q1."))
        let words =
            "quakes: skipped 77 changes recorded more than 24 hours after the quake; largest quake: M 6.7 - "
        #expect(table.errorOutput.hasPrefix(words), "\(table.errorOutput)")
        let rows = try await cache.quakes.run(options + ["--format", "csv"])
        #expect(rows.errorOutput.hasPrefix("0 changes; token q1.") && rows.errorOutput.contains(words))
    }

    @Test(
        "With --max-origin-age, quakes changes reports skipped changes in every output mode",
        arguments: [
            ["--exec", "cat"], ["--exec-each", "true"], ["--follow", "--timeout", "0s"], ["--count"], ["--coalesce"],
        ])
    func skippedQuakesAreReported(delivery: [String]) async throws {
        let cache = try Cache.ofTest()
        func insert(_ ids: String...) throws {
            try cache.edit { writer in
                for (index, id) in ids.enumerated() {
                    let time = Timestamp.now - .seconds(3 * 86_400)
                    try writer.insert(Quake(sample: id, time: time, magnitude: 5 + Double(index)), reason: .new)
                }
            }
        }
        let arguments = ["changes", "--consumer", "alarm", "--max-origin-age", "1d"] + delivery
        let words =
            "quakes: skipped 2 changes recorded more than 24 hours after the quake; largest quake: M 6.0 - "
        try insert("us1")
        try await cache.run("changes", "--consumer", "alarm", "--ack", "now")
        try insert("us2", "us3")
        let quiet = arguments + ["-q"] + (delivery == ["--count"] ? [] : ["--no-ack"])
        #expect(try await cache.quakes.run(quiet).errorOutput == "")
        let told = try await cache.quakes.run(arguments)
        #expect(told.exitStatus == 0 && told.errorOutput.hasPrefix(words), "\(told.errorOutput)")
        guard delivery[0] != "--exec-each" else { return }
        try await cache.run("purge", "--history", "--all", "--force")
        try await cache.run("changes", "--consumer", "alarm", "--ack", "q1.0000000000000.1.00000000")
        let resync = ["changes", "--since-token", "q1.0000000000000.1.00000000", "--max-origin-age", "1d"] + delivery
        let again = try await cache.quakes.run(resync).errorOutput
        #expect(again.contains("skipped 3 changes") && again.contains("largest quake: M 6.0 - 5 km S"), "\(again)")
    }
}
