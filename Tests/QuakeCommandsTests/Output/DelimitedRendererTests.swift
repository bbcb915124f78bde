import QuakeModel
import QuakeTestSupport
import Testing

@testable import QuakeCommands

struct DelimitedRendererTests {
    @Test func aSingleMissingFieldIsNotAnEmptyLine() throws {
        #expect(try rendered([.sample(place: nil)], as: .csv, fields: [.place]) == "place\n\"\"\n")
    }

    @Test func bytesThatAreNoTextBecomeReplacementCharacters() throws {
        for format in [OutputFormat.csv, .tsv] {
            #expect(try rendered(row: [.bytes([0x61, 0xFF])], as: format, fields: [.place]) == "place\na\u{FFFD}\n")
        }
    }

    @Test func aQuoteBeforeACombiningMarkIsDoubled() throws {
        #expect(try rendered([.sample(place: "a\"\u{301}")], as: .csv, fields: [.place]) == "place\n\"a\"\"\u{301}\"\n")
    }
}
