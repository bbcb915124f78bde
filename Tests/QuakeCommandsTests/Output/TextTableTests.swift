import QuakeModel
import Testing

@testable import QuakeCommands

struct TextTableTests {
    private func table(_ columns: Int?, _ row: [String] = ["12:00", "9", "us1", "A long name"]) throws -> [Substring] {
        try captured { writer in
            let table = TextTable<[String]>(
                [
                    TextColumn("UTC", 5, priority: 2) { $0[0] },
                    TextColumn("COUNT", priority: 0, isNumber: true) { $0[1] },
                    TextColumn("ID", 8, priority: 1) { $0[2] }, TextColumn("PLACE", 10, minimumWidth: 6) { $0[3] },
                ], writer, OutputStyle(terminalColumns: columns))
            table.writeHeader()
            table.write(row)
            table.writeOmission()
        }.split(separator: "\n")
    }

    @Test("A table on a narrow terminal drops less important columns and truncates the place") func narrowTable() throws
    {
        #expect(try table(nil) == ["UTC    COUNT  ID        PLACE", "12:00      9  us1       A long name"])
        #expect(try table(30) == ["UTC    COUNT  ID        PLACE", "12:00      9  us1       A lon…"])
        #expect(try table(29).prefix(2) == ["UTC    ID        PLACE", "12:00  us1       A long name"])
        #expect(try table(29).dropFirst(2) == ["terminal too narrow for COUNT"])
        #expect(try table(22) == ["UTC    PLACE", "12:00  A long name", "terminal too narrow", "for COUNT, ID"])
        #expect(try table(8) == ["PLACE", "A long …", "terminal too narrow", "for UTC, COUNT, ID"])
    }

    @Test("In a table, a long id is never truncated, even if that leaves less room for the place") func longID() throws
    {
        let row = ["12:00", "123456", "us1234567", "A long name"]
        #expect(try table(34, row)[1] == "12:00  123456  us1234567  A long …")
        #expect(try table(30, ["12:00", "1", "us12345678901234", ""])[1] == "12:00      1  us12345678901234")
    }

    @Test("Long text after a label wraps with an indent, and no word is split") func wrappedText() throws {
        let text = try captured { writer in
            let lines = WrappedLines(writer, columns: 30)
            lines.append(label: "feed      ", "all_day, 12 quakes, asked 3 min ago")
            lines.append(label: "", "quakes refresh https://example.org/a/very/long/address", isWhole: true)
            lines.append(label: "url       ", "https://example.org/another/address")
        }
        #expect(
            text == """
                feed      all_day, 12 quakes,
                          asked 3 min ago
                quakes refresh https://example.org/a/very/long/address
                url       https://example.org/another/address

                """)
    }
}
