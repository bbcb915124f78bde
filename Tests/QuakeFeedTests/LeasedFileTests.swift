import Foundation
import Glibc
import QuakeTestSupport
import SystemCalls
import Testing

@testable import QuakeFeed

private let hasLeases: Bool = {
    let answer = try? withScratchDirectory { scratch in
        let number = open(try scratch.write(Data("x".utf8), to: "file"), O_RDONLY | O_CLOEXEC)
        defer { close(number) }
        return lease_for_reading(number)
    }
    return answer ?? false
}()

@Suite(
    "A file under a lease is not copied", .enabled(if: hasLeases, "no leases on this file system"),
    .timeLimit(.minutes(1)))
struct LeasedFileTests {
    private let text = Data(#"{"type":"FeatureCollection","features":[{"id":"us1"},{"id":"us2"}]}"#.utf8)

    /// Opens `path` for writing without waiting: a descriptor, or the error number.
    private func openForWriting(_ path: String) -> Result<Int32, POSIXError> {
        let number = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        return number < 0 ? .failure(POSIXError(POSIXErrorCode(rawValue: errno)!)) : .success(number)
    }

    @Test("Who would write to it waits until the document is gone, and nobody is ended by the news")
    func holdsWritersBack() throws {
        try withScratchDirectory { scratch in
            let path = try scratch.write(text, to: "feed.geojson")
            do {
                let document = try FileContents.read(path: path, limit: 1000)
                #expect(throws: POSIXError(.EWOULDBLOCK)) { try openForWriting(path).get() }
                #expect(document.bytes == text)
                #expect(try document.scan().features.count == 2)
            }
            let start = ContinuousClock.now
            let writer = open(path, O_WRONLY | O_CLOEXEC)
            #expect(writer >= 0 && ContinuousClock.now - start < .seconds(20))
            close(writer)
        }
    }

    @Test("What was begun is read anew when somebody has waited for the file meanwhile")
    func begunTooEarly() throws {
        try withScratchDirectory { scratch in
            let path = try scratch.write(text, to: "feed.geojson")
            var reader = FileReader()
            var isLeased = false
            for _ in 0..<100 where !isLeased {
                reader = FileReader()
                reader.begin(path)
                usleep(10_000)
                // Who is let in, before there is a lease, keeps it from being granted.
                switch openForWriting(path) {
                case .success(let writer): close(writer)
                case .failure: isLeased = true
                }
            }
            #expect(isLeased)
            let document = try reader.contents(of: path)
            // The map is gone with what was begun, else this would wait for it.
            #expect(truncate(path, 0) == 0)
            #expect(document.bytes == text)
        }
    }

    @Test("What was begun of a file is dropped when it is forgotten under another name")
    func forgotten() throws {
        try withScratchDirectory { scratch in
            let path = try scratch.write(text, to: "feed.geojson")
            #expect(symlink(path, scratch.path("cache.db")) == 0)
            let reader = FileReader()
            reader.begin(path)
            reader.forget(scratch.path("other.db"))
            reader.forget(scratch.path("cache.db"))
            let start = ContinuousClock.now
            let writer = open(path, O_WRONLY | O_CLOEXEC)
            #expect(writer >= 0 && ContinuousClock.now - start < .seconds(20))
            close(writer)
            #expect(try reader.contents(of: path).bytes == text)
        }
    }

    @Test("A file that somebody has open for writing is read instead, and may shrink")
    func openForWritingElsewhere() throws {
        try withScratchDirectory { scratch in
            let path = try scratch.write(text, to: "feed.geojson")
            let writer = try openForWriting(path).get()
            defer { close(writer) }
            let document = try FileContents.read(path: path, limit: 1000)
            #expect(ftruncate(writer, 0) == 0)
            #expect(document.bytes == text)
            #expect(try document.scan().features.count == 2)
        }
    }

    @Test("A file that was replaced under its name stays what it was")
    func replaced() throws {
        try withScratchDirectory { scratch in
            let path = try scratch.write(text, to: "feed.geojson")
            let document = try FileContents.read(path: path, limit: 1000)
            #expect(rename(try scratch.write(Data(), to: "other"), path) == 0)
            #expect(document.bytes == text)
        }
    }
}
