import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

/// `--max-origin-age` goes by the age at which the cache learned of a quake.
@Suite("Alarms with an age", .scratch)
struct OriginAgeTests {
    private static let alarm = [
        "changes", "--since-token", "--consumer", "alarm", "--min-mag", "4.5", "--op", "insert,enter",
        "--max-origin-age", "1d",
    ]

    @Test("Three days of failed deliveries lose no alarm")
    func lateDelivery() async throws {
        let cache = try Cache.ofTest()
        let past = Timestamp.now - .seconds(3 * 86_400)
        let store = QuakeCache(
            path: cache.path, configuration: StoreConfiguration(program: "tests", now: { past }))
        try store.context(access: .creating).write { writer in
            for (id, age) in [("us1000", 600), ("us1001", 2 * 86_400)] {
                let quake = Quake(sample: id, time: past - .seconds(age), magnitude: 5)
                try writer.insert(quake, reason: .new)
            }
        }
        let failed = try await cache.quakes.run(Self.alarm + ["--exec", "cat >/dev/null; exit 7"])
        #expect(failed.exitStatus == 1)
        let delivered = try await cache.quakes.run(Self.alarm + ["--exec", "cat"])
        let records = try delivered.output.split(separator: "\n").map { try JSONValue(Data($0.utf8)) }
        #expect(delivered.exitStatus == 0 && records.count == 2 && records[0]["id"].text == "us1000")
        #expect(records[1]["count"].integer == 1 && records[1]["skipped"].integer == 1)
        let read = try await cache.quakes.run(Self.alarm + ["--format", "json"])
        #expect(try JSONValue(read.standardOutput).elements[0]["count"].integer == 0)
    }

    @Test("An archive that is read today raises no alarm, and the answer says how many it left out", .needsRealData)
    func archive() async throws {
        let cache = try Cache.ofTest()
        try await cache.output(
            "refresh", RealData.url("feeds/all_week__2021-07-22T2039Z__api1.10.3.geojson").path)
        let options = ["changes", "--min-mag", "4.5", "--max-origin-age", "1d"]
        let end = try JSONValue(try await cache.quakes.run(options + ["--format", "json"]).standardOutput).elements[
            0]
        #expect(end["count"].integer == 0 && end["skipped"].integer == 77)
        let net = try await cache.quakes.run(options + ["--coalesce", "--format", "ndjson"])
        #expect(try JSONValue(net.standardOutput)["skipped"].integer == 77)
        let table = try await cache.quakes.run(options)
        #expect(table.output.hasPrefix("0 changes, up to transaction 1; 77 skipped (too old); token q1."))
        let rows = try await cache.quakes.run(options + ["--format", "csv"])
        #expect(rows.errorOutput.hasPrefix("0 changes, 77 skipped (too old); token q1."))

    }
}
