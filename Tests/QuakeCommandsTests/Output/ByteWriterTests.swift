import Dispatch
import Foundation
import QuakeFormats
import QuakeModel
import Synchronization
import Testing

@testable import QuakeCommands

struct ByteWriterTests {
    init() {
        StandardStream.prepareProcess()
    }

    private func pipeEnds() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        return (ends[0], ends[1])
    }

    /// Starts reading the pipe, and returns a function that waits for its end and returns all bytes. It reads on a
    /// thread of its own, because all of the tests' threads may be waiting for such a reader.
    private func receiver(of readEnd: Int32) -> () -> [UInt8] {
        let isRead = DispatchSemaphore(value: 0)
        let received = SharedBytes()
        Thread.detachNewThread {
            var chunk = [UInt8](repeating: 0, count: 50_000)
            while case let count = read(readEnd, &chunk, chunk.count), count > 0 { received.append(chunk[..<count]) }
            isRead.signal()
        }
        return {
            isRead.wait()
            return received.bytes
        }
    }

    @Test("ByteWriter writes nothing until its buffer is full") func writesWhenFull() throws {
        let file = try CapturedFile()
        let writer = ByteWriter(descriptor: file.descriptor)
        writer.append("abc")
        try writer.flushIfFull()
        #expect(file.bytes.isEmpty && writer.bytesWritten == 0)
        writer.append(byte: UInt8(ascii: "x"), count: ByteWriter.threshold)
        try writer.flushIfFull()
        #expect(file.bytes.count == ByteWriter.threshold + 3 && writer.bytesWritten == file.bytes.count)
    }

    @Test("Text larger than the output buffer is written completely") func largeText() throws {
        let large = String(repeating: "0123456789abcdef", count: 50_000)
        #expect(try captured { $0.append("<\(large)>") } == "<\(large)>")
    }

    @Test("If a pipe accepts only part of the data, ByteWriter writes the rest later") func partialWrites() async throws
    {
        let (readEnd, writeEnd) = try pipeEnds()
        // Non-blocking, so that write(2) accepts whatever fits and then fails with EAGAIN.
        try #require(fcntl(writeEnd, F_SETFL, O_NONBLOCK) == 0)
        let expected = (0..<400_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let reader = Task.detached {
            var received: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 5000)
            while true {
                let count = read(readEnd, &chunk, chunk.count)
                guard count > 0 else { return received }
                received += chunk[..<count]
            }
        }
        let writer = ByteWriter(descriptor: writeEnd)
        expected.withUnsafeBufferPointer { writer.append($0) }
        try writer.flush()
        close(writeEnd)
        #expect(await reader.value == expected)
        #expect(writer.bytesWritten == expected.count)
        close(readEnd)
    }

    @Test("If a pipe is full, ByteWriter keeps further data in memory instead of waiting for a reader")
    func blockedReader() throws {
        let (readEnd, writeEnd) = try pipeEnds()
        let writer = ByteWriter(descriptor: writeEnd)
        let piece = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        // More than fits in a pipe, before anybody reads.
        for _ in 0..<20 {
            piece.withUnsafeBufferPointer { writer.append($0) }
            try writer.flushIfFull()
        }
        #expect(writer.bytesAppended == 2_000_000)
        let received = receiver(of: readEnd)
        writer.append("the end")
        try writer.flush()
        close(writeEnd)
        let bytes = received()
        #expect(bytes.count == 2_000_007)
        #expect(writer.bytesWritten == bytes.count)
        // Compared outside the expectation, which would search two million bytes for differences.
        let isWhole = (0..<20).allSatisfy { bytes[($0 * 100_000)...].starts(with: piece) }
        #expect(isWhole)
        close(readEnd)
    }

    @Test("Beyond its limit of unread data, ByteWriter waits for the reader, and nothing is lost")
    func limitOfUnreadData() throws {
        let (readEnd, writeEnd) = try pipeEnds()
        let limit = 200_000
        let writer = ByteWriter(descriptor: writeEnd, maximumUnreadBytes: limit)
        writer.isInterrupted = { isBlocked in isBlocked }
        let piece = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        var pieces = 0
        #expect(throws: OutputError.interrupted) {
            while pieces < 100 {
                pieces += 1
                piece.withUnsafeBufferPointer { writer.append($0) }
                try writer.flushIfFull()
            }
        }
        let unread = writer.bytesAppended - writer.bytesWritten
        #expect(unread > limit && unread <= limit + piece.count)
        // A failed write loses nothing either.
        #expect(throws: OutputError.interrupted) { try writer.flush() }
        let received = receiver(of: readEnd)
        writer.isInterrupted = nil
        try writer.flush()
        close(writeEnd)
        let bytes = received()
        #expect(bytes.count == pieces * piece.count && writer.bytesWritten == bytes.count)
        let isWhole = (0..<pieces).allSatisfy { bytes[($0 * piece.count)...].starts(with: piece) }
        #expect(isWhole)
        close(readEnd)
    }

    @Test("ByteWriter checks for an interruption before it writes each block of 4,096 bytes") func interruptionCheck()
        throws
    {
        let (readEnd, writeEnd) = try pipeEnds()
        defer { for end in [readEnd, writeEnd] { close(end) } }
        let writer = ByteWriter(descriptor: writeEnd)
        var asked: [Bool] = []
        writer.isInterrupted = { isBlocked in
            asked.append(isBlocked)
            return asked.count == 5
        }
        writer.append(byte: 0x61, count: 40_960)
        #expect(throws: OutputError.interrupted) { try writer.flush() }
        // The pipe has room for everything.
        #expect(asked == Array(repeating: false, count: 5))
        #expect(writer.bytesWritten == 4 * 4096)
    }

    @Test("ByteWriter throws OutputError.closedPipe if the pipe has no reader") func closedPipe() throws {
        let (readEnd, writeEnd) = try pipeEnds()
        close(readEnd)
        defer { close(writeEnd) }
        let writer = ByteWriter(descriptor: writeEnd)
        writer.append("abc")
        #expect(throws: OutputError.closedPipe) { try writer.flush() }
    }

    @Test("If a write fails, ByteWriter throws an error with the errno, such as ENOSPC") func otherFailures() throws {
        let full = open("/dev/full", O_WRONLY)
        try #require(full >= 0)
        defer { close(full) }
        let writer = ByteWriter(descriptor: full)
        writer.append("abc")
        #expect(throws: OutputError.writeFailed(errno: ENOSPC)) { try writer.flush() }
        #expect(throws: OutputError.writeFailed(errno: EBADF)) {
            let closed = ByteWriter(descriptor: -1)
            closed.append("abc")
            try closed.flush()
        }
    }

    @Test("Rendering csv stops with OutputError.closedPipe if the pipe has no reader") func rendererStops() throws {
        let (readEnd, writeEnd) = try pipeEnds()
        close(readEnd)
        defer { close(writeEnd) }
        let writer = ByteWriter(descriptor: writeEnd)
        let renderer = OutputFormat.csv.renderer(of: nil, writer, OutputStyle())
        #expect(throws: OutputError.closedPipe) {
            try renderer.render(repeatElement([.text("a place")], count: 20_000), to: writer)
        }
    }
}

private final class SharedBytes: Sendable {
    private let state = Mutex<[UInt8]>([])

    var bytes: [UInt8] { state.withLock { $0 } }

    func append(_ piece: ArraySlice<UInt8>) { state.withLock { $0 += piece } }
}
