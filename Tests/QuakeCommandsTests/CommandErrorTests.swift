import ArgumentParser
import Foundation
import QuakeMirror
import QuakeTestSupport
import Testing

@testable import QuakeCommands

@Suite("Error messages") struct CommandErrorTests {
    private struct Surprise: Error {}

    @Test("The message for an error of an unknown type begins with \"Unexpected error\"") func unexpectedError() {
        #expect(CommandError(Surprise()).text == "quakes: Unexpected error: Surprise().")
    }

    @Test("If a server answers a query with status 400, the error says that too many quakes may match")
    func rejectedQuery() {
        let message = CommandError(FeedError.status(400, url: "https://example.org/query"))
        #expect(message.text.contains("Check the query; if it matches more than 20,000 quakes"))
        let feed = CommandError(FeedError.status(400, url: "https://example.org/all_day.geojson"))
        #expect(feed.text.hasSuffix("Check the URL."), "\(feed.text)")
    }

    @Test("An error of writing suggests to free space only if the disk is full") func unwritableOutput() {
        #expect(CommandError(OutputError.writeFailed(errno: ENOSPC)).remedy == "Free some space and try again.")
        #expect(CommandError(OutputError.writeFailed(errno: EIO)).remedy == nil)
        let closed = CommandError(OutputError.writeFailed(errno: EBADF))
        #expect(closed.text == "quakes: Cannot write the output: standard output is closed.")
    }

    @Test("The error for a damaged cache suggests \"quakes verify --db\" with the path of the cache") func damagedFile()
    {
        let message = CommandError(StoreError.unsound(path: "/a b.db", findings: []))
        #expect(message.status == .storageFailure)
        #expect(message.text.contains("`quakes verify --db '/a b.db'` lists the problems."), "\(message.text)")
    }

    /// The messages of `refresh` on standard error for a feed with `count` unreadable features.
    private func messages(badFeatures count: Int, _ options: [String]) throws -> [String] {
        try withScratchDirectory { directory in
            let path = try directory.write(Self.feed(badFeatures: count), to: "feed.geojson")
            let (output, errors) = (try CapturedFile(), try CapturedFile())
            let command = try RefreshCommand.parse(["--db", directory.path("quakes.db")] + options + [path])
            _ = command.runReportingErrors(in: .test(output: output.stream, errors: errors.stream))
            return errors.text.split(separator: "\n").map(String.init)
        }
    }

    /// A daily feed whose first `count` features have an impossible latitude.
    private static func feed(badFeatures count: Int) throws -> Data {
        let document = try JSONSerialization.jsonObject(with: Fixture.data("feeds/all_day-1.geojson"))
        var feed = try #require(document as? [String: Any])
        var features = try #require(feed["features"] as? [[String: Any]])
        for index in 0..<count { features[index]["geometry"] = ["type": "Point", "coordinates": [0, 95, 0]] }
        feed["features"] = features
        return try JSONSerialization.data(withJSONObject: feed)
    }

    @Test("quakes refresh names the first five of eight unreadable features, and all with --verbose")
    func unreadableFeatures() throws {
        func skipped(_ count: Int) throws -> [String] {
            try messages(badFeatures: count, []).filter { $0.contains(": skipped ") }
        }
        let brief = try skipped(8)
        #expect(brief.count == 6)
        #expect(brief.dropLast().allSatisfy { $0.contains("skipped entry ") })
        #expect(brief.last?.contains("skipped 3 more") == true)
        let verbose = try messages(badFeatures: 8, ["-v"])
        #expect(verbose.count { $0.contains("skipped entry ") } == 8)
        #expect(try skipped(5).count == 5)
    }

    @Test("quakes refresh --strict names the first five unreadable features of a rejected feed")
    func strictRefresh() throws {
        let refusal = try messages(badFeatures: 7, ["--strict"])
        #expect(refusal.count { $0.contains("latitude cannot be 95") } == 6)
        #expect(refusal.contains { $0.hasSuffix("cannot read 2 more") })
        #expect(refusal.last?.contains("is not a valid feed: it has 7 unreadable quakes") == true)
    }
}
