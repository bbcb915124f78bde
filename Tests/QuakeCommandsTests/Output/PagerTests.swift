import Foundation
import QuakeModel
import QuakeTestSupport
import Testing

@testable import QuakeCommands

@Suite("A pager for output that is longer than the terminal", .timeLimit(.minutes(5)), .scratch)
struct PagerTests {
    /// As at the start of the program: a pager that is gone is an error and not a signal.
    init() { StandardStream.prepareProcess() }

    private func variables(_ pager: String?, _ more: [String: String] = [:]) -> [String: String] {
        var variables = ["LC_ALL": "C.UTF-8", "TERM": "xterm"].merging(more) { $1 }
        variables["PAGER"] = pager
        return variables
    }

    @Test func aLongTableGoesThroughThePagerAndAShortOneDoesNot() throws {
        let directory = try ScratchDirectory.ofTest()
        let cache = try MappedCache(in: directory)
        let paged = directory.path("paged")
        let long = try cache.run("list", terminal: (80, 3), variables: variables("cat >\(paged)"))
        let plain = try cache.run("list", terminal: (80, 24), variables: variables("exit 9"))
        #expect(long.status == .success && long.output.isEmpty)
        #expect(try String(contentsOfFile: paged, encoding: .utf8) == plain.output)
        #expect(plain.output.split(separator: "\n").count == 5)
    }

    @Test func theOwnVariableComesFirstAndLessIsToldToLeaveShortOutputAlone() throws {
        let directory = try ScratchDirectory.ofTest()
        let cache = try MappedCache(in: directory)
        let paged = directory.path("paged")
        let own = ["QUAKES_PAGER": "cat >\(paged); printf %s $LESS >>\(paged)"]
        _ = try cache.run("list", terminal: (80, 3), variables: variables("exit 9", own))
        #expect(try String(contentsOfFile: paged, encoding: .utf8).hasSuffix("\nFRX"))
        let set = own.merging(["LESS": "S"]) { $1 }
        _ = try cache.run("list", terminal: (80, 3), variables: variables(nil, set))
        #expect(try String(contentsOfFile: paged, encoding: .utf8).hasSuffix("\nS"))
    }

    @Test(arguments: [
        (["list", "--no-pager"], ["TERM": "xterm"]), (["list"], ["TERM": "dumb"]), (["list"], ["TERM": ""]),
        (["list"], ["QUAKES_PAGER": ""]), (["list"], ["QUAKES_PAGER": "cat"]), (["list", "--format", "csv"], [:]),
        (["list", "--ids"], [:]), (["changes", "--follow", "--timeout", "0s", "--no-color"], [:]),
    ])
    func somePeopleAndOutputsGetNone(arguments: [String], environment: [String: String]) throws {
        let directory = try ScratchDirectory.ofTest()
        let cache = try MappedCache(in: directory)
        let marker = directory.path("paged")
        let outcome = try cache.run(
            arguments, terminal: (80, 2), variables: variables("cat >\(marker)", environment))
        #expect(!outcome.output.isEmpty && !FileManager.default.fileExists(atPath: marker))
    }

    @Test(arguments: ["no-such-pager-anywhere", "exit 3", "kill -9 $$"], [3, 40_000])
    func aPagerThatFailsIsReplacedByPlainOutput(pager: String, lines: Int) throws {
        let text = (0..<lines).map { "line \($0)\n" }.joined()
        #expect(try paged(text, by: pager) == text)
    }

    @Test func quittingThePagerEndsTheOutputAndIsNoFailure() throws {
        let text = (0..<100_000).map { "line \($0)\n" }.joined()
        #expect(throws: OutputError.closedPipe) { try paged(text, by: "head -1 >/dev/null") }
        #expect(CommandError(OutputError.closedPipe).status == .success)
    }

    @Test(arguments: ["head -2 >/dev/null; kill -INT $$", "head -2 >/dev/null; exit 130"])
    func leavingThePagerWithControlCIsNoFailureEither(pager: String) throws {
        #expect(try paged("1\n2\n3\n", by: pager).isEmpty)
    }

    @Test func aPagerWithArgumentsIsTheShellsReplacement() throws {
        let directory = try ScratchDirectory.ofTest()
        let lines = ["#!/bin/sh", "readlink /proc/$PPID/exe >$1", "cat >/dev/null", ""]
        let script = try directory.write(Data(lines.joined(separator: "\n").utf8), to: "pager")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
        _ = try paged("1\n2\n3\n", by: "/bin/sh \(script) \(directory.path("parent"))")
        let parent = try String(contentsOfFile: directory.path("parent"), encoding: .utf8)
        #expect(!parent.isEmpty && !parent.contains("dash") && !parent.contains("bash"))
    }

    @Test func thePlaceOfAReaderStaysWhenThePagerWasLeftBeforeItReadAll() throws {
        let directory = try ScratchDirectory.ofTest()
        let cache = try MappedCache(in: directory)
        func unread() throws -> String {
            try cache.run(["changes", "--since-token", StartOptions.lastToken, "--no-ack"]).output
        }
        let all = try unread()
        let arguments = ["changes", "--since-token", StartOptions.lastToken, "--mark-read"]
        let left = try cache.run(arguments, terminal: (80, 2), variables: variables("true"))
        #expect(left.status == .success)
        #expect(try unread() == all)
        let read = try cache.run(arguments, terminal: (80, 2), variables: variables("cat >/dev/null"))
        #expect(read.status == .success)
        #expect(try unread() != all)
    }

    /// What the terminal of two lines shows of `text`.
    private func paged(_ text: String, by pager: String) throws -> String {
        let file = try CapturedFile()
        var stream = StandardStream(descriptor: file.descriptor, isTerminal: true)
        stream.terminalRows = 2
        let environment = CommandEnvironment(
            standardOutput: stream, standardError: stream, variables: variables(pager), homeDirectory: "/nowhere",
            now: { Timestamp.sample })
        let pager = Pager(environment, isRefused: false)
        let writer = pager.writer()
        for line in text.split(separator: "\n") {
            writer.append("\(line)\n")
            try writer.flushIfFull()
        }
        try writer.flush()
        try pager.finish()
        return String(decoding: file.bytes, as: UTF8.self)
    }
}
