import QuakeModel
import QuakeTestSupport
import Testing

@testable import QuakeCommands

/// `list` passes bytes from rows to the output without creating values. This compares its output with values selected
/// and ordered in memory and rendered plainly.
@Suite("Streamed output of list", .computing, .scratch) struct ListOutputTests {
    /// Options of `list`, and their meaning.
    struct Choice: CustomStringConvertible {
        var options: [String]
        var fields = QuakeProperty.allCases
        var choose: @Sendable ([Quake]) -> [Quake] = { $0.ordered { -Double($0.originTime.milliseconds) } }

        var description: String { "list \(options.joined(separator: " "))" }
    }

    private static let choices = [
        Choice(options: []),
        Choice(
            options: ["--fields", "title,id,time,detail,mag,url"], fields: [.title, .id, .time, .detail, .mag, .url]),
        Choice(options: ["--min-mag", "2", "--sort", "mag"]) { quakes in
            quakes.filter { ($0.magnitude ?? -99) >= 2 }.ordered { $0.magnitude.map { -$0 } }
        },
        Choice(options: ["--sort", "depth", "--reverse", "--limit", "400"]) { quakes in
            Array(quakes.ordered { $0.hypocenter.depthKilometers }.prefix(400))
        },
        Choice(options: ["--sort", "updated", "--min-depth", "0"]) { quakes in
            quakes.filter { ($0.hypocenter.depthKilometers ?? -99) >= 0 }.ordered { -Double($0.updated.milliseconds) }
        },
        Choice(options: ["--limit", "0"]) { _ in [] },
    ]

    /// Calls `body` for each choice with the output of `list` in `format`, and with the quakes and rendering that it
    /// must match.
    private func compare(
        _ format: String, _ body: (Choice, String, [Quake], PlainRendering) throws -> Void
    ) throws {
        let cache = try ListedCache(in: .ofTest())
        #expect(cache.quakes.count > 600)
        for choice in Self.choices {
            try body(
                choice, cache.list(choice.options + ["--format", format]), choice.choose(cache.quakes),
                PlainRendering(fields: choice.fields))
        }
    }

    @Test("The csv from quakes list equals, byte for byte, that of a simple renderer in the tests")
    func commaSeparated() throws {
        try compare("csv") { choice, text, quakes, plain in
            #expect(firstDifference(text, plain.commaSeparated(quakes)) == nil, "\(choice)")
        }
    }

    @Test("The tsv from quakes list equals, byte for byte, that of a simple renderer in the tests") func tabSeparated()
        throws
    {
        try compare("tsv") { choice, text, quakes, plain in
            #expect(firstDifference(text, plain.tabSeparated(quakes)) == nil, "\(choice)")
        }
    }

    @Test("The ndjson from quakes list has every requested field with the value from the cache") func ndjson() throws {
        try compare("ndjson") { choice, text, quakes, plain in
            let lines = text.split(separator: "\n")
            try #require(lines.count == quakes.count, "\(choice)")
            for (line, quake) in zip(lines, quakes) {
                #expect(try ParsedJSON(line) == .object(plain.members(quake)), "\(choice)")
                // Each member appears once, in the order of the fields.
                #expect(line.hasPrefix("{\"\(plain.fields[0].rawValue)\":"), "\(choice)")
            }
        }
    }

    @Test("The json from quakes list has every requested field with the value from the cache") func jsonDocument()
        throws
    {
        try compare("json") { choice, text, quakes, plain in
            let expected = try quakes.map { ParsedJSON.object(try plain.members($0)) }
            #expect(try ParsedJSON(text) == .array(expected), "\(choice)")
        }
    }

    /// Returns the first line in which two outputs differ, from both.
    private func firstDifference(_ text: String, _ expected: String) -> String? {
        guard !text.utf8.elementsEqual(expected.utf8) else { return nil }
        let pair = zip(text.split(separator: "\n"), expected.split(separator: "\n")).first { $0 != $1 }
        return pair.map { "\($0)\n\($1)" } ?? "one is longer"
    }
}

extension [Quake] {
    /// Returns the quakes in ascending order of `value`, those without it last, and ties by id.
    fileprivate func ordered(by value: (Quake) -> Double?) -> [Quake] {
        sorted { left, right in
            switch (value(left), value(right)) {
            case (let first?, let second?) where first != second: first < second
            case (.some, nil): true
            case (nil, .some): false
            default: left.id < right.id
            }
        }
    }
}
