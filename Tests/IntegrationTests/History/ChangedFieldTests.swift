import Foundation
import QuakeTestSupport
import Testing

@Suite("Changes of certain fields")
struct ChangedFieldTests {
    /// A cache that has read two real weeks, whose documents have 3,098 and 3,280 quakes.
    private func withTwoRealWeeks(_ body: (Cache) async throws -> Void) async throws {
        try await withCache { cache, _ async throws in
            for week in ["2021-07-20T1423Z", "2021-07-22T2039Z"] {
                try await cache.output("refresh", RealData.url("feeds/all_week__\(week)__api1.10.3.geojson").path)
            }
            try await body(cache)
        }
    }

    @Test("--changed mag shows the 125 quakes whose magnitude two real documents tell differently", .needsRealData)
    func updatesAlone() async throws {
        try await withTwoRealWeeks { cache in
            let records = try await cache.records("changes", "--changed", "mag", "--format", "ndjson")
            #expect(records.count == 126 && records.dropLast().allSatisfy { $0["op"].text == "update" })
            let named = ["changes", "--changed", "mag", "--op", "insert,update", "--format", "ndjson"]
            #expect(try await cache.quakes.run(named).output.split(separator: "\n").count == 4438 + 125 + 1)
            // What comes into view or leaves it is an update too, and never a new quake.
            let crossing = try await cache.records(
                "changes", "--changed", "mag", "--min-mag", "2.5", "--format", "ndjson")
            let operations = Set(crossing.dropLast().map { $0["op"].text })
            #expect(operations == ["update", "enter", "leave"])
        }
    }
}
