import Foundation
import QuakeTestSupport
import Testing

/// What Documentation/output.md promises of text that is meant to do harm.
@Suite("How text is written", .timeLimit(.minutes(5)))
struct PublishedTextTests {
    /// Runs `body` with a cache of the hostile feed and the places in it, nil where there is none.
    private func withHostileCache(
        _ body: (ProcessRunner, _ places: [String?]) async throws -> Void
    ) async throws {
        try await withScratchDirectory { directory in
            let runner = ProcessRunner(environment: ["QUAKES_DB": directory.path("quakes.db")])
            _ = try await runner.run("refresh", Fixture.url("feeds/hostile.geojson").path)
            let json = try await runner.run("list", "--format", "json", "--fields", "place,id").standardOutput
            let rows = try #require(try JSONSerialization.jsonObject(with: json) as? [[String: Any]])
            let places = rows.map { $0["place"] as? String }
            for character in "\t\r\\\u{1B}\u{7}\u{9B}\"," {
                #expect(places.contains { $0?.contains(character) == true }, "\(character.unicodeScalars)")
            }
            #expect(places.contains("first line\nsecond line") && places.contains(""))
            try await body(runner, places)
        }
    }

    @Test("In tsv tabs, line breaks and backslashes are escaped, and nothing else is")
    func tabs() async throws {
        try await withHostileCache { runner, places in
            let lines = try await runner.run("list", "--format", "tsv", "--fields", "place,id").output
                .components(separatedBy: "\n").dropFirst().dropLast()
            let expected = places.map {
                ($0 ?? "").replacing("\\", with: #"\\"#).replacing("\t", with: #"\t"#).replacing("\n", with: #"\n"#)
                    .replacing("\r", with: #"\r"#)
            }
            #expect(lines.map { $0.components(separatedBy: "\t")[0] } == expected)
        }
    }

    @Test(
        "In csv fields with commas, quotes or line breaks are quoted, as empty texts are, and nothing else is changed")
    func commas() async throws {
        try await withHostileCache { runner, places in
            let output = try await runner.run("list", "--format", "csv", "--fields", "place,net").output
            let expected = places.map { place in
                guard let place else { return "" }
                let isPlain = !place.isEmpty && !place.unicodeScalars.contains { ",\"\n\r".unicodeScalars.contains($0) }
                return isPlain ? place : "\"\(place.replacing("\"", with: "\"\""))\""
            }
            #expect(output == "place,net\n" + expected.map { "\($0),us\n" }.joined())
        }
    }

    @Test("Json, ndjson and geojson hold no character a terminal could obey", arguments: ["json", "ndjson", "geojson"])
    func escapes(format: String) async throws {
        try await withHostileCache { runner, places in
            let output = try await runner.run("list", "--format", format).output
            let unsafe = output.unicodeScalars.filter {
                $0 != "\n" && ($0.properties.generalCategory == .control || (0x202A...0x202E).contains($0.value))
            }
            #expect(unsafe.isEmpty)
            #expect(output.contains(#"\u001b[31m"#) && output.contains(#"\u202e"#) && output.contains(#"\u0007"#))
        }
    }

    @Test("--count prints a number, --ids an id a line")
    func lines() async throws {
        try await withHostileCache { runner, places in
            #expect(try await runner.run("list", "--count").output == "\(places.count)\n")
            let ids = try await runner.run("list", "--ids").output
            #expect(ids.split(separator: "\n").count == places.count)
            #expect(ids.wholeMatch(of: /([a-z0-9]+\n)+/) != nil)
        }
    }
}
