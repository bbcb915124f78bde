import QuakeTestSupport
import Testing

@testable import QuakeMirror

@Suite("Queries that list every quake of a time range") struct UnfilteredQueryTests {
    private let service = "https://earthquake.usgs.gov/fdsnws/event/1/query"
    private let generated = Timestamp.sample

    private func completeTimes(_ query: String, count: Int = 100) -> ClosedRange<Timestamp>? {
        UnfilteredQuery(address: "\(service)?\(query)")?.completeTimes(generated: generated, featureCount: count)
    }

    @Test("A query with no condition but a time range counts as listing every quake in that range") func timeRange()
        throws
    {
        let start = try #require(Timestamp(iso8601: "2026-01-01"))
        let end = try #require(Timestamp(iso8601: "2026-02-01T12:00:00Z"))
        let query = "format=geojson&starttime=2026-01-01&endtime=2026-02-01T12:00:00Z"
        #expect(completeTimes(query) == start...end)
        #expect(completeTimes("format=geojson&starttime=2026-01-01&endtime=2026-02-01T12%3A00%3A00Z") == start...end)
        // The service truncates the fraction.
        #expect(completeTimes("starttime=2026-01-01&endtime=2026-02-01T12:00:00.900Z") == start...end)
        #expect(completeTimes("starttime=2026-01-01") == start...generated)
        #expect(completeTimes("endtime=2026-06-01&starttime=2026-01-01&orderby=time-asc") == start...generated)
        #expect(completeTimes("starttime=2026-01-01&limit=20000&offset=1") == start...generated)
        #expect(completeTimes("format=geojson") == generated - .seconds(30 * 86_400)...generated)
    }

    @Test(
        "A query with a condition such as minmagnitude does not count as listing every quake",
        arguments: [
            "minmagnitude=1", "maxlatitude=10", "eventtype=earthquake", "offset=10", "updatedafter=2026-01-01",
            "catalog=us", "limit=x", "starttime=yesterday", "anything", "starttime=2026-05-01",
        ])
    func otherParameters(parameter: String) {
        #expect(completeTimes("format=geojson&\(parameter)") == nil)
    }

    @Test("A query response with as many features as the query's limit does not count as complete") func rowLimit() {
        #expect(completeTimes("format=geojson&limit=500", count: 499) != nil)
        #expect(completeTimes("format=geojson&limit=500", count: 500) == nil)
        #expect(completeTimes("format=geojson", count: 20_000) == nil)
        #expect(UnfilteredQuery(address: "https://example.org/all_week.geojson?format=geojson") == nil)
        #expect(UnfilteredQuery(address: service) == nil)
    }
}
