import Foundation
import QuakeTestSupport
import Testing

@testable import QuakeMirror

@Suite("CSV documents") struct CSVDocumentTests {
    private static let header = "time,latitude,longitude,depth,mag,id,updated,net,place,nst"
    private static let row = "2026-03-14T11:52:14.310Z,35.5,-117.5,4.25,1.5,ci1,2026-03-14T11:56:14Z,ci,\"A, CA\",12"

    private func document(_ lines: String..., header: String = header) throws -> FeedDocument {
        try FeedDocument(Data(([header] + lines).map { $0 + "\n" }.joined().utf8))
    }

    @Test("A CSV document lists the same values as the GeoJSON of the same feed") func sameValues() throws {
        let snapshot = try FeedSnapshot(Fixture.data("feeds/all_day-1.csv"), source: "test")
        let published = try FeedDocument(Fixture.data("feeds/all_day-1.geojson")).quakes
        let quakes = try FeedDocument(snapshot.body).quakes
        #expect(quakes.map(\.id) == published.map(\.id) && quakes.count == 24)
        let columns = Set(QuakeProperty.stored).subtracting(snapshot.missingProperties).subtracting(
            QuakeProperty.uncertainties)
        #expect(columns.count == 14)
        for (quake, other) in zip(quakes, published) {
            for property in columns { #expect(quake[property] == other[property], "\(quake.id): \(property)") }
            #expect(quake.ids.members == [quake.id] && quake.net == other.net && quake.code == other.code)
        }
        #expect(quakes[0].horizontalErrorKilometers == 0.24 && quakes[0].magnitudeStationCount == 27)
        #expect(quakes[0].locationSource == "ci" && quakes[2].magnitudeError == nil)
        #expect(
            snapshot.missingProperties.isSuperset(of: [
                .net, .code, .ids, .sources, .types, .felt, .alert, .url, .extra,
            ]))
        #expect(snapshot.isCSV && snapshot.feed == nil && snapshot.window == nil)
        #expect(snapshot.features.indices.map(snapshot.id) == quakes.map(\.id))
    }

    @Test("Columns may be in any order and case, unknown columns are ignored, and optional ones may be missing")
    func columns() throws {
        let read = try document(
            "us,x,7.5,2026-03-14T10:00:00Z,us2,-10,5,2026-03-14T11:00Z",
            "us,x,,2026-03-14T10:00:00Z,us3,-11,6,2026-03-14",
            header: "NET,Remark,HorizontalError,Updated,ID,Lat,longitude,Time")
        #expect(read.skipped.isEmpty && read.quakes.map(\.code) == ["2", "3"])
        #expect(read.quakes.map(\.horizontalErrorKilometers) == [7.5, nil])
        #expect(read.quakes.map(\.originTime.iso8601) == ["2026-03-14T11:00:00.000Z", "2026-03-14T00:00:00.000Z"])
        #expect(read.quakes.allSatisfy { $0.magnitude == nil && $0.hypocenter.depthKilometers == nil })
    }

    @Test("Quotation marks, line ends, byte order marks and blank lines are read as in RFC 4180") func syntax() throws {
        let row = Self.row.replacing("\"A, CA\"", with: "\"Fiji \"\"region\"\",\r\nsouth\"")
        let text = "\u{FEFF}\r\n\(Self.header)\r\n\(row)\r\n\r\n\(Self.row.replacing("ci1", with: "\"ci2\""))"
        let read = try FeedDocument(Data(text.utf8))
        #expect(read.skipped.isEmpty && read.quakes.map(\.id) == ["ci1", "ci2"])
        #expect(read.quakes.map(\.place) == ["Fiji \"region\",\r\nsouth", "A, CA"])
        let literal = try document(Self.row.replacing("\"A, CA\"", with: "the \"old\" mine"), Self.row + "\n")
        #expect(literal.quakes.first?.place == "the \"old\" mine")
    }

    @Test("A missing value is null, and a quoted empty text is empty") func missingValues() throws {
        let read = try document(
            Self.row.replacing("\"A, CA\"", with: ""), Self.row.replacing("\"A, CA\",12", with: "\"\",\"\""))
        #expect(read.skipped.isEmpty && read.quakes.map(\.place) == [nil, ""])
        #expect(read.quakes.map(\.stationCount) == [12, nil])
    }

    @Test(
        "A bad row is skipped and named by the line in which it begins",
        arguments: [
            (",4.25,", ",", "it has 9 fields instead of 10"),
            ("1.5", "1.5,", "it has 11 fields instead of 10"), ("1.5", "0x1p3", "mag \"0x1p3\" is not a number"),
            ("1.5", "nan", "mag \"nan\" is not a number"), ("4.25", "1e999", "depth \"1e999\" is not a number"),
            ("4.25", "4,25", "it has 11 fields"), ("35.5", "95", "latitude cannot be 95.0"),
            ("35.5", "", "latitude is missing"), ("35.5", "N35", "\"N35\" is not a number"),
            ("12", "12.5", "nst \"12.5\" is not a whole number"),
            ("2026-03-14T11:56:14Z", "yesterday", "updated \"yesterday\" is not in the form 2021-07-22T20:39:44.123Z"),
            ("2026-03-14T11:52:14.310Z", "", "time is missing"), ("ci1", "us1", "does not begin with its network ci"),
            ("ci1", "", "id is missing"), (",ci,", ",,", "net is missing"), ("A, CA", "A\0", "place contains a NUL"),
            ("\"A, CA\"", "\"A, CA", "its quotation marks do not match"),
            ("\"A, CA\"", "\"A\" CA", "its quotation marks do not match"),
            ("\"A, CA\",12", "\"A, C", "its quotation marks do not match"), ("\"A, CA\",12", "A", "it has 9 fields"),
        ])
    func badRow(part: String, replacement: String, words: String) throws {
        let good = Self.row.replacing("ci1", with: "ci2")
        let changed = Self.row.replacing(part, with: replacement)
        try #require(changed != Self.row)
        let bad = try document(good.replacing("A, CA", with: "A,\nCA"), "", changed, good.replacing("ci2", with: "ci3"))
        #expect(bad.quakes.map(\.id) == ["ci2", "ci3"] && bad.skipped.count == 1)
        let skipped = try #require(bad.skipped.first)
        #expect(skipped.position == 5 && skipped.words.hasPrefix("line 5"), "\(skipped.words)")
        #expect(skipped.words.contains(words), "\(skipped.words)")
    }

    @Test("Every cut of a CSV document leaves the rows before it as they are") func cutDocument() throws {
        let body = Data([Self.header, Self.row, Self.row.replacing("ci1", with: "ci2")].joined(separator: "\n").utf8)
        let start = Self.header.utf8.count + Self.row.utf8.count + 2
        for end in start + 1..<body.count - 3 {
            let cut = try FeedDocument(body.prefix(end))
            #expect(cut.quakes.map(\.id) == ["ci1"] && cut.skipped.map(\.position) == [3], "\(end)")
        }
        // A number that is cut is still a number.
        #expect(try FeedDocument(body).quakes.count == 2)
    }

    @Test("Invalid UTF-8 in a CSV document becomes U+FFFD") func invalidText() throws {
        let parts = "\(Self.header)\n\(Self.row)\n".split(separator: "A, CA").map { Data($0.utf8) }
        let read = try FeedDocument(parts[0] + [0xC3, 0x28] + parts[1])
        #expect(read.quakes.map(\.place) == ["\u{FFFD}("])
    }

    @Test("Of CSV documents joined into one, every header is ignored") func joined() throws {
        let body = "\u{FEFF}\(Self.header)\r\n\(Self.row)\r\n"
        let read = try FeedDocument(Data((body + body.replacing("ci1", with: "ci2")).utf8))
        #expect(read.skipped.isEmpty && read.quakes.map(\.id) == ["ci1", "ci2"])
    }

    @Test("A row of a CSV document with a field of 10 MB is skipped, and the other rows are read") func largeField()
        throws
    {
        let large = String(repeating: "x\n", count: 5_000_000)
        let read = try document(
            Self.row, Self.row.replacing("A, CA", with: large), Self.row.replacing("ci1", with: "ci2"))
        #expect(read.quakes.map(\.id) == ["ci1", "ci2"])
        #expect(
            read.skipped.map(\.words) == [
                "line 3 (ci1): it is too long (\(Self.row.utf8.count - 5 + 10_000_000) bytes)"
            ])
    }

    @Test("Each of 30,000 CSV rows with an unclosed quotation mark is skipped alone")
    func strayMarks() throws {
        let body = "\(Self.header)\n" + String(repeating: "a\",\",\n", count: 30_000)
        #expect(try FeedDocument(Data(body.utf8)).skipped.count == 30_000)
    }

    @Test(
        "A CSV document is rejected for a header that another program wrote or that lacks a column",
        arguments: [
            ("time;latitude;longitude;id;updated;net", "its columns are separated by semicolons"),
            ("\"id\"\t\"time\"\tlatitude", "its columns are separated by tabs"),
            ("#EventID | Time | Latitude | Longitude", "its columns are separated by vertical bars"),
            ("Quakes\n\(header)", "it is neither GeoJSON nor CSV with the columns of the USGS feeds in its first line"),
            ("time,latitude,longitude,id,net", "it is CSV without the column updated"),
            ("id,mag", "it is CSV without the columns time, latitude, longitude, updated, net"),
            ("time,latitude,longitude,id,updated,net,lat", "its column lat is repeated"),
            (row, "it is neither GeoJSON nor CSV with the columns of the USGS feeds in its first line"),
        ])
    func badHeader(header: String, words: String) throws {
        let error = #expect(throws: DocumentError.self) { try document(Self.row, header: header) }
        #expect(error?.words == words && error?.kind == .unsuitable)
    }

    @Test("A CSV document without rows is accepted, and text without columns is not CSV") func withoutRows() throws {
        let empty = try document()
        #expect(empty.quakes.isEmpty && empty.skipped.isEmpty && empty.generated == nil)
        let other = "text that is not JSON"
        for (text, found) in [
            ("Service unavailable", other), ("time", other), ("\"time\"", "a single value"), ("12", "a single value"),
        ] {
            #expect(throws: DocumentError.notAFeatureCollection(found: found)) { try FeedDocument(Data(text.utf8)) }
        }
    }

    @Test("A SQLite database in place of a feed is named, with the command that restores a backup") func database() {
        let error = #expect(throws: DocumentError.self) { try FeedDocument(Data("SQLite format 3\u{0}\u{10}".utf8)) }
        #expect(error?.words == "it is a SQLite database")
        #expect(error?.remedy == "`quakes restore` restores a backup of the cache.")
    }

    @Test("The same row below another header has another hash") func hashes() throws {
        func hash(_ header: String) throws -> Int64? {
            try FeedSnapshot(Data("\(header)\n\(Self.row)\n".utf8), source: "test").features.first?.hash
        }
        #expect(try hash(Self.header) == hash(Self.header))
        #expect(try hash(Self.header) != hash(Self.header.replacing("depth,mag", with: "mag,depth")))
    }

    @Test("A CSV file that is not UTF-8 is rejected; in a response, invalid bytes become U+FFFD")
    func otherEncoding() throws {
        let second = Self.row.replacing("A, CA", with: "Albardón").replacing("ci1", with: "ci2")
        let text = "\(Self.header)\n\(Self.row)\n\(second)"
        let body = try #require(text.data(using: .isoLatin1))
        let snapshot = try FeedSnapshot(body, source: "test.csv")
        #expect(snapshot.defect(ofFilePublishedAt: nil) == .notUTF8(line: 3))
        #expect(try FeedSnapshot(Data(text.utf8), source: "test.csv").defect(ofFilePublishedAt: nil) == nil)
        #expect(try FeedDocument(body).quakes.last?.place == "Albard\u{FFFD}n")
    }

    @Test("A CSV file with a publication time before its oldest quake is rejected") func datedTooEarly() throws {
        let origin = try #require(Timestamp(iso8601: "2026-03-14T11:52:14.310Z"))
        let later = Self.row.replacing("ci1", with: "ci2").replacing("2026-03-14T11:52", with: "2026-03-29T11:52")
        let body = Data("\(Self.header)\n\(later)\n\(Self.row)\n".utf8)
        for (moment, defect) in [(origin - .milliseconds(1), DocumentError.originsLater(from: origin)), (origin, nil)] {
            let snapshot = try FeedSnapshot(body, source: "test", generated: moment)
            #expect(snapshot.defect(ofFilePublishedAt: moment) == defect)
        }
    }

    @Test("The time of a CSV document is given, or its newest update that is not in the future") func time() throws {
        let newer = Self.row.replacing("ci1", with: "ci2").replacing("11:56:14Z", with: "11:59:00Z")
        let body = Data("\(Self.header)\n\(Self.row)\n\(newer)\n\(Self.row.replacing("11:56:14Z", with: ""))\n".utf8)
        let newest = try #require(Timestamp(iso8601: "2026-03-14T11:59Z"))
        func times(received: Timestamp, generated: Timestamp? = nil) throws -> [Timestamp] {
            let snapshot = try FeedSnapshot(body, source: "test", received: received, generated: generated)
            return [snapshot.published, snapshot.sourceTime]
        }
        #expect(try times(received: newest + .seconds(60)) == [newest, newest])
        let older = try #require(Timestamp(iso8601: "2026-03-14T11:56:14Z"))
        #expect(try times(received: newest - .seconds(60)) == [older, older])
        let later = newest + .seconds(30)
        #expect(try times(received: newest + .seconds(60), generated: later) == [later, later])
    }

    @Test("A request for a summary feed rejects CSV") func feedInCSV() throws {
        #expect(throws: DocumentError.otherDocument(asked: "all_day", found: "CSV")) {
            try FeedSnapshot(Fixture.data("feeds/all_day-1.csv"), source: "test", asked: FeedName(.all, .day))
        }
    }
}
