import Testing

@testable import QuakeCommands

struct ColumnFitTests {
    private let columns = [
        ColumnFit.Column(width: 19, leastWidth: 16, rank: 2), ColumnFit.Column(width: 5, leastWidth: 5),
        ColumnFit.Column(width: 13, leastWidth: 13),
        ColumnFit.Column(width: 40, leastWidth: 12, rank: 1, isEssential: true),
    ]

    private func fit(_ room: Int?) -> ColumnFit { ColumnFit(columns, room: room) }

    @Test func withoutATerminalNothingShrinks() {
        #expect(fit(nil).shown.map(\.width) == [19, 5, 13, 40] && fit(nil).omitted.isEmpty)
    }

    @Test func theColumnOfTheLowestRankShrinksFirst() {
        #expect(fit(83).shown.map(\.width) == [19, 5, 13, 40])
        #expect(fit(60).shown.map(\.width) == [19, 5, 13, 17])
        #expect(fit(53).shown.map(\.width) == [17, 5, 13, 12])
        #expect(fit(52).shown.map(\.width) == [16, 5, 13, 12] && fit(52).omitted.isEmpty)
    }

    @Test func theRightmostColumnIsLeftOutNextAndTheEssentialOneLast() {
        #expect(fit(51).omitted == [2] && fit(51).shown.map(\.width) == [19, 5, 23])
        #expect(fit(36).omitted == [1, 2])
        #expect(fit(20).omitted == [0, 1, 2] && fit(20).shown.map(\.width) == [20])
    }

    @Test func noTableIsWiderThanTheTerminal() {
        for room in 12...120 {
            var fit = fit(room)
            let width = fit.shown.reduce(-2) { $0 + $1.width + 2 }
            #expect(width <= room && fit.slack == room - width)
            fit.freeLast(of: columns)
            #expect(fit.shown.reduce(-2) { $0 + $1.width + 2 } + fit.slack == room)
        }
    }

    @Test func longTextContinuesBelowItsStartAndAWordStaysWhole() throws {
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
