import QuakeModel
import QuakeTestSupport
import Testing

@testable import QuakeCommands

struct DelimitedRendererTests {
    @Test func numbersTimesAndMissingValues() throws {
        let fields: [QuakeProperty] = [.id, .time, .mag, .felt, .depth, .place, .ids]
        let quakes: [Quake] = [.sample("a"), .sample("b", magnitude: -1, place: nil)]
        #expect(
            try rendered(quakes, as: .csv, fields: fields) == """
                id,time,mag,felt,depth,place,ids
                usa,2021-07-22T20:39:44.040Z,4.5,,8.43,"8 km E of Fox, Alaska",usa
                usb,2021-07-22T20:39:44.040Z,-1,,8.43,,usb

                """)
        #expect(
            try rendered(quakes, as: .tsv, fields: fields) == """
                id\ttime\tmag\tfelt\tdepth\tplace\tids
                usa\t2021-07-22T20:39:44.040Z\t4.5\t\t8.43\t8 km E of Fox, Alaska\tusa
                usb\t2021-07-22T20:39:44.040Z\t-1\t\t8.43\t\tusb

                """)
    }

    @Test(arguments: [
        ("plain", "plain"), ("a,b", "\"a,b\""), ("say \"hi\"", "\"say \"\"hi\"\"\""), ("a\nb", "\"a\nb\""),
        ("a\rb", "\"a\rb\""),
        ("", "\"\""), ("=1+1", "=1+1"), (" a ", " a "), ("Pāhala", "Pāhala"), ("a\tb", "a\tb"), ("\"", "\"\"\"\""),
    ])
    func csvIsQuotedWhereNeededAndOtherwiseLeftAlone(place: String, expected: String) throws {
        #expect(try rendered([.sample(place: place)], as: .csv, fields: [.place]) == "place\n\(expected)\n")
    }

    @Test(arguments: [
        ("plain", "plain"), ("a\tb", "a\\tb"), ("a\nb\r", "a\\nb\\r"), ("a\\b", "a\\\\b"), ("Pāhala", "Pāhala"),
        ("\"", "\""),
    ])
    func tsvIsEscapedWhereNeeded(place: String, expected: String) throws {
        #expect(try rendered([.sample(place: place)], as: .tsv, fields: [.place]) == "place\n\(expected)\n")
    }

    @Test func aSingleMissingFieldIsNotAnEmptyLine() throws {
        #expect(try rendered([.sample(place: nil)], as: .csv, fields: [.place]) == "place\n\"\"\n")
    }

    @Test func anyTextReadsBackAsItself() throws {
        var generator = SplitMix64(state: 6)
        let alphabet = Array("ab,\"\n\r\t ;\\=āé能🌋\u{1B}'")
        let places = (0..<2_000).map { _ in
            String(
                (0..<Int.random(in: 0..<7, using: &generator)).compactMap { _ in
                    alphabet.randomElement(using: &generator)
                })
        }
        let text = try rendered(places.map { .sample(place: $0) }, as: .csv, fields: [.mag, .place, .felt])
        let records = csvRecords(text).dropFirst()
        #expect(records.count == places.count)
        for (record, place) in zip(records, places) { #expect(record == ["4.5", place, nil]) }
    }

    @Test func onlyATerminalGetsTextReplaced() throws {
        let hostile = [Quake.sample(place: "a\u{1B}[31mb")]
        #expect(try rendered(hostile, as: .csv, fields: [.place]).contains("\u{1B}"))
        for format in [OutputFormat.csv, .tsv] {
            let shown = try rendered(hostile, as: format, fields: [.place], style: OutputStyle(terminalColumns: 80))
            #expect(shown == "place\na\u{FFFD}[31mb\n")
        }
    }

    @Test func bytesThatAreNoTextBecomeReplacementCharacters() throws {
        for format in [OutputFormat.csv, .tsv] {
            #expect(try rendered(row: [.bytes([0x61, 0xFF])], as: format, fields: [.place]) == "place\na\u{FFFD}\n")
        }
    }
}
