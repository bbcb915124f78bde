import QuakeTestSupport
import Testing

@testable import QuakeCommands

@Suite("Terminal sizes", .endsInTime, .scratch) struct TerminalSizeTests {
    private static let numbers = [
        "", "0", "1", "2", "9", "10", "80", "999", "1000", "1001", "65535", "1000000000", "9223372036854775807",
        "9223372036854775808", "-1", "-9223372036854775808", "1e3", "nan", "x", String(repeating: "9", count: 10_000),
    ]

    @Test("A terminal size from $COLUMNS and $LINES is kept between 10 x 5 and 1000 x 1000", arguments: numbers)
    func bounds(text: String) {
        let stream = StandardStream.process(descriptor: -1, variables: ["COLUMNS": text, "LINES": text])
        #expect((10...1000).contains(stream.terminalColumns) && (5...1000).contains(stream.terminalRows))
        if text == "80" { #expect(stream.terminalColumns == 80 && stream.terminalRows == 80) }
        if text == "1" { #expect(stream.terminalColumns == 10 && stream.terminalRows == 5) }
        if text == "1000000000" { #expect(stream.terminalColumns == 1000 && stream.terminalRows == 1000) }
    }

    @Test("Commands that print tables or maps succeed on very small and very large terminals") func everySize() throws {
        let cache = try MappedCache.ofTest()
        let commands = [
            ["map", "--format", "terminal"], ["map", "--format", "terminal", "--world"], ["changes"],
            ["changes", "-v"],
            ["diff", "beginning", "now"], ["show", MappedCache.renamed], ["list"], ["list", "--fields", "all"],
            ["history"],
            ["history", "2"], ["status"],
        ]
        for size in [(10, 5), (11, 1000), (27, 6), (40, 24), (1000, 5), (1000, 1000)] {
            for command in commands {
                let outcome = try cache.run(command, terminal: size, variables: ["LC_ALL": "C.UTF-8", "TERM": "dumb"])
                #expect(outcome.status == .success, "\(command) \(size): \(outcome.errors)")
            }
        }
    }
}
