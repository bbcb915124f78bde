import Foundation
import Glibc
import QuakeSystem
import Testing

@Suite("Shell quoting") struct ShellQuotingTests {
    @Test(
        "A shell reads a quoted word unchanged",
        arguments: [
            "plain", "", "two words", "it's", "it'\u{301}s", "'", "=ls", "a;b", "a&b", "(a)", "a>b", "a\"b", "$HOME",
            "`id`", "a\\b", "*", "~", "#", "a\nb", "Pāhala", "-x",
        ])
    func roundTrip(word: String) throws {
        let output = try DescriptorPair.pipeFromChild()
        let child = try ChildProcess(
            "/bin/sh", arguments: ["sh", "-c", "printf '[%s]' \(word.shellWord)"],
            streams: [(STDOUT_FILENO, output.theirs.number)], dropSignal: SIGKILL)
        let ours = output.closingTheirs()
        var buffer = [UInt8](repeating: 0, count: 1000)
        let count = buffer.withUnsafeMutableBytes { ours.read(into: $0) }
        #expect(String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self) == "[\(word)]")
        #expect(child.wait() == .exited(0))
    }

    @Test(
        "A word is quoted for the shell only if necessary",
        arguments: [
            ("/a-b/c.db", "/a-b/c.db"), ("us7,a@b=c:d+1%", "us7,a@b=c:d+1%"), ("a b", "'a b'"), ("", "''"),
            ("=ls", "'=ls'"), ("it'\u{301}s", "'it'\\''\u{301}s'"),
        ])
    func quotedIfNecessary(word: String, quoted: String) {
        #expect(word.shellWord == quoted)
    }
}
