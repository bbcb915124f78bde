import Foundation
import QuakeTestSupport
import Testing

@testable import QuakeMirror

@Suite("Refreshing from CSV", .scratch) struct CSVRefreshTests {
    private static let date = "Sun, 15 Mar 2026 08:00:00 GMT"
    private let newest = Timestamp(milliseconds: 1_773_489_600_000)

    private func refresh(_ url: String, headers: [String: String] = [:]) throws -> (RefreshReport, Replay) {
        let body = try Fixture.data("feeds/all_day-1.csv")
        let transport = ScriptedTransport { _ in ScriptedTransport.Response(status: 200, headers: headers, body: body) }
        let replay = try Replay(in: .ofTest(), transport: transport, now: newest + .seconds(86_400))
        return (try replay.mirror.refresh(.url(url)), replay)
    }

    @Test("A downloaded CSV document is as of its newest update, however late it is downloaded") func times() throws {
        let updates = try FeedDocument(Fixture.data("feeds/all_day-1.csv")).quakes.map(\.updated)
        let (dated, _) = try refresh("https://example.org/all_day.csv", headers: ["date": Self.date])
        #expect(dated.generated == updates.max())
        #expect(dated.inserted == [.new: 24] && dated.feed == "https://example.org/all_day.csv")
        let (undated, _) = try refresh("https://example.org/month.csv")
        #expect(undated.generated == updates.max())
    }

    @Test("A CSV document covers no time, even as the answer to a complete query") func noCoverage() throws {
        let query = "https://example.org/fdsnws/event/1/query?format=csv&starttime=2026-03-13&endtime=2026-03-15"
        let (report, replay) = try refresh(query, headers: ["date": Self.date])
        #expect(report.inserted == [.new: 24] && !report.countsAbsences)
        #expect(try replay.context.sources.coveredRanges().isEmpty)
    }

    @Test("A CSV file read twice changes nothing the second time, and most rows are not decoded") func unchanged()
        throws
    {
        let replay = try Replay(in: .ofTest())
        let path = Fixture.url("feeds/all_day-1.csv").path
        #expect(try replay.apply(path).changes.count == 24)
        let again = try replay.apply(path)
        #expect(again.changes.isEmpty && again.report.unchanged == 24)
    }

    // Proves rule 14 of mirroring.md.
    @Test("A CSV file in which no row is readable is rejected") func unreadable() throws {
        let replay = try Replay(in: .ofTest())
        let header = "time,latitude,longitude,id,updated,net\n"
        let error = #expect(throws: FeedError.self) { try replay.apply(Data("\(header)a,b,c,d,e,f\n".utf8)) }
        #expect(error?.words.contains("1 of its 1 quakes are unreadable, starting with line 2 (d): ") == true)
        #expect(try replay.context.history.currentToken().number == 0)
    }

    @Test("A given time sets that of a CSV file, and is rejected for GeoJSON") func givenTime() throws {
        let replay = try Replay(in: .ofTest())
        let moment = newest + .seconds(3600)
        let csv = FeedSource.file(Fixture.url("feeds/all_day-1.csv").path)
        #expect(try replay.mirror.refresh(csv, generated: moment).generated == moment)
        let geojson = Fixture.url("feeds/all_day-1.geojson").path
        #expect(throws: FeedError.document(.geoJSONTimeIsFixed, source: geojson)) {
            try replay.mirror.refresh(.file(geojson), generated: moment)
        }
    }
}
