import Foundation
import Glibc
import QuakeTestSupport
import Testing

@testable import QuakeMirror

@Suite("Feed sources", .scratch) struct FeedSourceTests {
    @Test("A feed's URL is the endpoint followed by the feed's name and .geojson") func url() {
        let feed = FeedName(.magnitude45, .week)
        #expect(
            FeedEndpoint().url(for: feed)
                == "https://earthquake.usgs.gov/earthquakes/feed/v1.0/summary/4.5_week.geojson")
        #expect(FeedEndpoint(base: "http://127.0.0.1:80//").url(for: feed) == "http://127.0.0.1:80/4.5_week.geojson")
    }

    @Test("A feed file of any size is read completely", arguments: [0, 1, 65_535, 65_536, 3_000_000])
    func wholeFile(size: Int) throws {
        let scratch = try ScratchDirectory.ofTest()
        let bytes = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        #expect(try FeedSource.file(scratch.write(bytes, to: "feed.geojson")).contents() == bytes)
        // Nor does it depend on the size that the system tells.
        let status = try #require(try FeedSource.file("/proc/self/status").contents())
        #expect(String(decoding: status, as: UTF8.self).contains("VmPeak"))
    }

    @Test("A feed in a named pipe is read to the end", arguments: [0, 1, 65_536, 1_000_000])
    func pipe(size: Int) async throws {
        let scratch = try ScratchDirectory.ofTest()
        let path = scratch.path("pipe")
        #expect(mkfifo(path, 0o600) == 0)
        let bytes = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        async let written: Void = onOwnThread { try bytes.write(to: URL(filePath: path)) }
        let contents = try await onOwnThread { try FeedSource.file(path).contents() }
        try await written
        #expect(contents == bytes)
        #expect(!FeedSource.file(path).isRegularFile)
    }

    @Test("Reading a feed file larger than the limit passed to contents(limit:) throws tooLarge") func tooLarge() throws
    {
        let scratch = try ScratchDirectory.ofTest()
        let path = try scratch.write(Data(count: 1001), to: "large")
        let source = FeedSource.file(path)
        #expect(try source.contents(limit: 1001)?.count == 1001)
        #expect(throws: FeedError.document(.tooLarge(limit: 1000), source: path)) {
            try source.contents(limit: 1000)
        }
        let words = FeedError.document(.tooLarge(limit: 64 << 20), source: "y2024.geojson").words
        #expect(words == "y2024.geojson is not a valid feed: it is larger than 64 MiB.")
        #expect(truncate(path, 65 << 20) == 0)
        #expect(try source.contents()?.count == 65 << 20)
        #expect(truncate(path, 1 << 42) == 0)
        #expect(throws: FeedError.document(.tooLarge(limit: 1000), source: path)) {
            try source.contents(limit: 1000)
        }
    }

    @Test("Truncating a feed file after it is read does not affect the bytes already read")
    func laterChanges() throws {
        let scratch = try ScratchDirectory.ofTest()
        let path = try scratch.write(Data("before".utf8), to: "feed.geojson")
        let bytes = try FeedSource.file(path).contents()
        let writer = open(path, O_WRONLY | O_TRUNC | O_NONBLOCK | O_CLOEXEC)
        #expect(writer >= 0)
        close(writer)
        #expect(bytes == Data("before".utf8))
    }

    @Test("Reading a missing file or a folder throws unreadable with the reason") func unreadable() throws {
        for (path, reason) in [("/nowhere/a", "No such file or directory"), ("/tmp", "Is a directory")] {
            #expect(throws: FeedError.unreadable(path: path, reason: reason)) { try FeedSource.file(path).contents() }
        }
    }
}
