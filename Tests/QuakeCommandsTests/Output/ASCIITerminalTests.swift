import QuakeModel
import QuakeTestSupport
import Testing

@testable import QuakeCommands

@Suite("ASCII output for a locale without Unicode", .scratch) struct ASCIITerminalTests {
    private static let plain = ["NO_COLOR": "1"]

    @Test(
        "In an ASCII locale, terminal output is pure ASCII with unchanged column widths",
        arguments: [
            ["list"], ["list", "--fields", "all"], ["changes"], ["changes", "-v"], ["history"], ["history", "2", "-v"],
            ["show", MappedCache.renamed, "-v"], ["status"], ["summary"], ["diff", "beginning"],
            ["list", "--near", "35,-117", "--radius", "9000km", "--fields", "mag,bearing,place"],
        ])
    func textOutput(words: [String]) throws {
        let cache = try MappedCache.ofTest()
        func lines(_ locale: String) throws -> [Substring] {
            let variables = Self.plain.merging(["LC_ALL": locale]) { $1 }
            let outcome = try cache.run(words, terminal: (words == ["list"] ? 56 : 80, 400), variables: variables)
            return outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
        }
        let (ascii, unicode) = (try lines("C"), try lines("C.UTF-8"))
        #expect(ascii.joined().utf8.count { $0 >= 0x80 } == 0)
        // A map in ASCII selects different names than one in Unicode.
        let count = words[0] == "show" ? unicode.firstIndex { $0.contains("┌") } ?? 0 : unicode.count
        #expect(count > 3 && (words[0] == "show" || ascii.count == unicode.count))
        #expect(
            unicode.prefix(count).joined().unicodeScalars.contains { !$0.isASCII }
                || ["history", "status", "diff"].contains(words[0]))
        for (one, other) in zip(ascii, unicode).prefix(count) {
            #expect(DisplayWidth.columns(of: String(one)) == DisplayWidth.columns(of: String(other)), "\(one)")
        }
    }

    @Test("In an ASCII locale, output to a pipe or by --template keeps non-ASCII characters") func machineOutput()
        throws
    {
        let cache = try MappedCache.ofTest()
        let variables = Self.plain.merging(["LC_ALL": "C"]) { $1 }
        for words in [
            ["show", MappedCache.renamed], ["changes", "--format", "csv"], ["status", "--format", "json"],
        ] {
            let pipe = try cache.run(words, variables: variables).output
            #expect(pipe == (try cache.run(words).output))
        }
        #expect(try cache.run("show", MappedCache.renamed, variables: variables).output.contains("°"))
        let template = ["list", "--template", "{place} → °"]
        #expect(try cache.run(template, terminal: (80, 24), variables: variables).output.contains(" → °"))
    }
}
