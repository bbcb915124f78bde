import Foundation
import QuakeMirror
import QuakeTestSupport
import Testing

@testable import QuakeCommands

@Suite("Uncertainties in the output", .scratch) struct UncertaintyTests {
    private let cache: MappedCache

    /// Gives one of the three quakes uncertainties, in a transaction of its own.
    init() throws {
        cache = try MappedCache.ofTest()
        let context = try cache.context()
        let stored = try #require(try context.quake(id: "us200"))
        try context.write { try $0.update(stored, to: stored.quake.withUncertainties, reason: .revised) }
    }

    @Test("--fields usgs has the columns of the USGS CSV feeds, with the quake's uncertainties") func columnsOfUSGS()
        throws
    {
        let lines = try cache.run("list", "--fields", "usgs", "--format", "csv").output.split(separator: "\n")
        #expect(
            lines[0] == """
                time,latitude,longitude,depth,mag,magType,nst,gap,dmin,rms,net,id,updated,place,type,horizontalError,\
                depthError,magError,magNst,status,locationSource,magSource
                """)
        #expect(
            lines.first { $0.contains("us200") } == """
                2026-03-14T12:00:00.000Z,-20,179,12,6.1,,,,,,us,us200,2026-03-14T12:00:00.000Z,near us200,,6.25,1.7,\
                0.052,31,,us,hv
                """)
    }

    @Test(
        "Every format of a list has the uncertainties",
        arguments: [
            ("csv", ",6.25,1.7,0.052,31,us,hv,"), ("tsv", "\t6.25\t1.7\t0.052\t31\tus\thv\t"),
            ("json", Self.members), ("ndjson", Self.members), ("geojson", Self.members),
            ("quakeml", "<horizontalUncertainty>6250</horizontalUncertainty>"),
        ])
    func formats(format: String, text: String) throws {
        let outcome = try cache.run("list", "--format", format)
        #expect(outcome.output.contains(text))
        // The list includes them without being asked for them.
        #expect(outcome.errors.isEmpty)
    }

    private static let members = """
        "horizontal_error":6.25,"depth_error":1.7,"mag_error":0.052,"mag_nst":31,"location_source":"us",\
        "mag_source":"hv"
        """

    @Test("Tables and templates for people show uncertainties in the unit of lengths") func lengths() throws {
        let fields = ["list", "--min-mag", "6", "--fields", "depth_error,mag_error,mag_source"]
        #expect(
            try cache.run(fields).output == "DEPTH_ERROR KM  MAG_ERROR  MAG_SOURCE\n          1.7       0.052  hv\n")
        #expect(try cache.run(fields + ["--units", "mi"]).output.hasPrefix("DEPTH_ERROR MI  MAG_ERROR"))
        let template = ["list", "--min-mag", "6", "--template", "{horizontal_error} {mag_nst}"]
        #expect(try cache.run(template).output == "6.3 km 31\n")
        #expect(try cache.run(template + ["--units", "mi"]).output == "3.9 mi 31\n")
    }

    @Test("A list in GeoJSON is read back with its uncertainties, and without unknown properties") func readBack()
        throws
    {
        let quakes = try cache.context().fetch(QuakeDescriptor()).map(\.quake)
        let body = Data(try cache.run("list", "--format", "geojson").output.utf8)
        let snapshot = try FeedSnapshot(body, source: "export")
        var read: [Quake] = []
        FeatureDecoder(snapshot, indices: Array(snapshot.features.indices)).forEach { _, result in
            if case .success(let quake) = result { read.append(quake) }
        }
        #expect(read == quakes && quakes.count { $0.hasUncertainties } == 1)
    }

    @Test("changes has the uncertainties before and after, and --changed finds changes of one") func changes() throws {
        let find = ["changes", "--op", "update"]
        let record = try cache.run(find + ["--changed", "horizontal_error", "--format", "ndjson"]).output
        #expect(record.contains(#""before":{"horizontal_error":null,"depth_error":null,"#))
        #expect(
            record.contains(#""changed":["horizontal_error","depth_error","mag_error","mag_nst","location_source""#))
        #expect(record.components(separatedBy: #""kind":"change""#).count == 2)
        let words = try cache.run(find + ["--changed", "bookkeeping"]).output
        #expect(words.contains("6 fields added"))
        let template = ["--changed", "mag_error", "--template", "{before.mag_error:json} {mag_error}"]
        #expect(try cache.run(find + template).output == "null 0.052\n")
        #expect(try cache.run(find + ["--changed", "gap"]).output.contains("us200") == false)
    }

    @Test("quakes show describes the uncertainties, and -v lists all six") func show() throws {
        let text = try cache.run("show", "us200").output
        #expect(text.contains("; epicenter ± 6.3 km, depth ± 1.7 km, magnitude ± 0.05; "), "\(text)")
        let all = try cache.run("show", "us200", "-v").output
        for property in QuakeProperty.uncertainties { #expect(all.contains("  \(property.rawValue) "), "\(property)") }
        #expect(try !cache.run("show", "ak100").output.contains("±"))
    }
}
