import EarlyHelper
import Glibc
import Testing

@testable import QuakeCommands

@Suite("What a refresh begins with before its arguments are parsed")
struct HeadStartTests {
    private static let downloads = [
        ["refresh"], ["refresh", "all_day", "-q"], ["refresh", "--db", "a.db", "all_week"],
        ["refresh", "https://example.org/all_day.geojson"], ["refresh", "a.geojson.gz", "geojson"],
    ]
    private static let files = [
        ["refresh", "a.geojson"], ["refresh", "-q", "--db", "a.db", "a.geojson", "--strict"],
    ]
    private static let neither = [
        [], ["list"], ["list", "refresh"], ["refresh", "-"], ["refresh", "--help"], ["refresh", "-h"],
        ["refresh", "--version"], ["refresh", "a.geojson", "b.geojson"], ["refresh", "--db", "a.geojson", "all_day"],
        ["refresh", "--db", "a.geojson"], ["refresh", ".geojson", "-"],
        ["refresh", "a.geojson", "--wait", "1s"], ["refresh", "--wait=1s", "a.geojson"],
    ]

    private func startsHelper(_ arguments: [String]) -> Bool {
        var words = (["quakes"] + arguments).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        return looks_like_download(Int32(arguments.count + 1), &words)
    }

    @Test("A helper where a download is meant", arguments: downloads)
    func helper(arguments: [String]) {
        #expect(startsHelper(arguments))
        #expect(RefreshCommand.fileToBegin(for: arguments) == nil)
    }

    @Test("The file where one is meant", arguments: files)
    func file(arguments: [String]) {
        #expect(!startsHelper(arguments))
        #expect(RefreshCommand.fileToBegin(for: arguments) == "a.geojson")
    }

    @Test("Nothing where it is not clear: above all, the cache itself is not opened", arguments: neither)
    func nothing(arguments: [String]) {
        #expect(!startsHelper(arguments))
        #expect(RefreshCommand.fileToBegin(for: arguments) == nil)
    }
}
