import ArgumentParser
import Testing

@testable import QuakeCommands

@Suite("Completion candidates for each shell") struct CandidateTests {
    @Test(
        "In bash, a completion with characters that the shell would expand is quoted",
        arguments: [
            ("us7000abcd", "us7000abcd"), ("4.5_day", "4.5_day"), ("time,mag", "time,mag"),
            ("quarry blast", "'quarry blast'"), ("$(touch x)", "'$(touch x)'"), ("`x`", "'`x`'"),
            ("it's", #"'it'\''s'"#), ("~root", "'~root'"), ("a\\b", #"'a\b'"#), ("{a,b}*", "'{a,b}*'"), ("é", "'é'"),
        ])
    func bash(text: String, line: String) {
        #expect(Candidate(text, "about it").line(for: .bash) == line)
    }

    @Test("In zsh, colons and backslashes in a completion are escaped") func zsh() {
        #expect(Candidate("a:b\\c", "at 12:00").line(for: .zsh) == #"a\:b\\c:at 12\:00"#)
        #expect(Candidate("$(touch x)").line(for: .zsh) == "$(touch x)")
    }

    @Test("In fish, a tab separates a completion from its description") func fish() {
        #expect(Candidate("a:b", "about it").line(for: .fish) == "a:b\tabout it")
        #expect(Candidate("a b").line(for: .fish) == "a b")
        #expect(Candidate("a b", "about it").line(for: nil) == "a b")
    }

    @Test(
        "Completions with control characters or line breaks are never offered",
        arguments: ["", "a\nb", "a\tb", "\u{1B}[2J", "a\u{202E}b", "a\u{0}b", "a\u{9B}b"])
    func unsafeCandidates(text: String) {
        for shell in CompletionShell.allCases { #expect(Candidate(text, "about it").line(for: shell) == nil) }
    }

    @Test("A completion's description is truncated, and control characters in it are replaced") func description()
        throws
    {
        let line = try #require(
            Candidate("us1", "a\u{1B}[31mb\nc" + String(repeating: "x", count: 100)).line(for: .fish))
        #expect(line.hasPrefix("us1\ta\u{FFFD}[31mb\u{FFFD}cxxx") && line.hasSuffix("x…") && line.count < 70)
    }
}

@Suite("Words of the command line being typed") struct ShellWordTests {
    @Test(
        "Before a typed word is completed, its quotes and backslashes are removed",
        arguments: [
            ("plain", "plain"), (#"quarry\ bl"#, "quarry bl"), ("'quarry bl", "quarry bl"), (#""a 'b"#, "a 'b"),
            (#"a"b"'c'd"#, "abcd"), (#""\$a""#, "$a"), ("'{mag} {pl", "{mag} {pl"), ("$HOME", "$HOME"),
            (#"a\"#, "a"),
        ])
    func unquoted(typed: String, text: String) {
        #expect(typed.unquoted == text)
    }
}
