import Foundation
import QuakeModel
import QuakeTestSupport
import Testing

@testable import QuakeFormats

@Suite("Documents of quakes and changes") struct QuakeOutputTests {
    private struct Full: Error {}

    /// Quakes whose documents have several pieces in every format.
    private let quakes = (0..<500).map { Quake.inAlaska("q\($0)", place: "\($0) km E of Fox, Alaska") }

    private var events: [HistoryEvent] {
        quakes.enumerated().map { .resync(ResyncedQuake(stored: StoredQuake(key: QuakeKey(Int64($0)), quake: $1))) }
    }

    @Test(
        "Pieces of a document, joined, equal the document made at once, and none is small",
        arguments: QuakeFormat.allCases)
    func pieces(format: QuakeFormat) throws {
        var pieces: [Data] = []
        let output = QuakeOutput(format, properties: [.id, .place, .ids], title: "T", generated: .sample) {
            pieces.append($0)
        }
        for quake in quakes + quakes + quakes + quakes { try output.append(quake) }
        try output.end()
        let whole = format.data(
            quakes + quakes + quakes + quakes, properties: [.id, .place, .ids], title: "T", generated: .sample)
        #expect(pieces.count > 1 && pieces.reduce(Data(), +) == whole)
        #expect(pieces.dropLast().allSatisfy { $0.count >= 65_536 })
    }

    @Test("Pieces of changes, joined, equal the document made at once", arguments: ChangeFormat.allCases)
    func piecesOfChanges(format: ChangeFormat) throws {
        var pieces: [Data] = []
        let output = ChangeOutput(format) { pieces.append($0) }
        for event in events { try output.append(event) }
        try output.end()
        #expect(pieces.count > 1 && pieces.reduce(Data(), +) == format.data(events))
    }

    @Test("After a piece could not be written, every call throws that error, and nothing more is written")
    func failedPiece() throws {
        var written = 0
        let output = QuakeOutput(.ndjson) { _ in
            written += 1
            if written == 2 { throw Full() }
        }
        let error = #expect(throws: Full.self) { for quake in quakes { try output.append(quake) } }
        #expect(error != nil && written == 2)
        #expect(throws: Full.self) { try output.append(quakes[0]) }
        #expect(throws: Full.self) { try output.end() }
        #expect(throws: Full.self) { try output.end() }
        #expect(written == 2)
    }

    @Test("If the last piece of a document cannot be written, end() throws, now and later") func failedEnd() throws {
        let output = ChangeOutput(.csv) { _ in throw Full() }
        try output.append(events[0])
        #expect(throws: Full.self) { try output.end() }
        #expect(throws: Full.self) { try output.end() }
    }

    @Test("Appending to an ended document throws DocumentEnded, and the document stays as it was") func ended() throws {
        var document = Data()
        let output = QuakeOutput(.json) { document += $0 }
        try output.append(quakes[0])
        try output.end()
        let whole = document
        #expect(throws: DocumentEnded.self) { try output.append(quakes[0]) }
        #expect(throws: DocumentEnded.self) { try output.end() }
        #expect(document == whole && document == QuakeFormat.json.data(quakes.prefix(1)))
    }

    @Test("A document that was not ended is not valid JSON, GeoJSON or XML") func unended() throws {
        for format in [QuakeFormat.json, .geojson] {
            var document = Data()
            let output = QuakeOutput(format) { document += $0 }
            for quake in quakes { try output.append(quake) }
            #expect(!document.isEmpty && (try? parsedJSON(String(decoding: document, as: UTF8.self))) == nil)
        }
        let whole = String(decoding: QuakeFormat.quakeml.data(quakes), as: UTF8.self)
        let output = QuakeOutput(.quakeml) { #expect(!whole.hasSuffix(String(decoding: $0, as: UTF8.self))) }
        for quake in quakes { try output.append(quake) }
    }

    @Test("Without properties, a document has all of them; GeoJSON has the title and the time given")
    func defaults() throws {
        let csv = rendered([], as: .csv)
        #expect(csv == QuakeProperty.allCases.map(\.rawValue).joined(separator: ",") + "\n")
        #expect(rendered([], as: .csv, fields: [.mag, .id]) == "mag,id\n")
        let geoJSON = QuakeFormat.geojson.data([], title: "Large quakes", generated: Timestamp(milliseconds: 5))
        #expect(
            String(decoding: geoJSON, as: UTF8.self).hasSuffix(
                "\"metadata\":{\"generated\":5,\"title\":\"Large quakes\",\"count\":0}}\n"))
        let changes = String(decoding: ChangeFormat.tsv.data(events.prefix(1), properties: [.mag]), as: UTF8.self)
        #expect(changes.split(separator: "\n")[0].hasSuffix("\tpublished\tmag_before\tmag_after"))
    }

    @Test(
        "A number that is not finite and an extra that is not a JSON object are written as missing",
        arguments: QuakeFormat.allCases)
    func unwritable(format: QuakeFormat) {
        var missing = quakes[0]
        missing.magnitude = nil
        missing.magnitudeError = nil
        missing.extra = nil
        var broken = missing
        broken.magnitude = .nan
        broken.magnitudeError = .infinity
        for extra in ["{bad", "{\"k\": }", "[1]"] {
            broken.extra = extra
            #expect(format.data([broken]) == format.data([missing]))
        }
    }
}
