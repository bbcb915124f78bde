import QuakeModel
import QuakeTestSupport
import Testing

@testable import QuakeFormats

struct DelimitedRendererTests {
    @Test("In csv, a row with a single empty field is written as \"\" rather than an empty line") func missingField()
        throws
    {
        #expect(rendered([.inAlaska(place: nil)], as: .csv, fields: [.place]) == "place\n\"\"\n")
    }

    @Test("In csv and tsv, invalid UTF-8 becomes U+FFFD") func invalidUTF8() throws {
        for format in [QuakeFormat.csv, .tsv] {
            #expect(rendered(row: [.bytes([0x61, 0xFF])], as: format, fields: [.place]) == "place\na\u{FFFD}\n")
        }
    }

    @Test("In csv, text with a comma, a quotation mark or either character of a line break is quoted")
    func quotedText() throws {
        for text in ["a,b", "a\nb", "a\rb"] {
            #expect(rendered([.inAlaska(place: text)], as: .csv, fields: [.place]) == "place\n\"\(text)\"\n")
        }
    }

    @Test("In csv, a quotation mark before a combining accent is doubled") func quoteBeforeCombiningMark() throws {
        #expect(rendered([.inAlaska(place: "a\"\u{301}")], as: .csv, fields: [.place]) == "place\n\"a\"\"\u{301}\"\n")
    }
}
