import Dispatch
import Foundation
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

    @Test("A text larger than the buffer is written whole") func largeText() throws {
        let large = String(repeating: "0123456789abcdef", count: 50_000)
        #expect(try captured { $0.append("<\(large)>") } == "<\(large)>")
    }

    @Test("Partial writes to a full pipe are continued") func partialWrites() async throws {
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

    @Test("A reader that takes nothing does not block the writer's rows") func blockedReader() throws {
        let (readEnd, writeEnd) = try pipeEnds()
        let writer = ByteWriter(descriptor: writeEnd)
        let piece = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        // More than fits in a pipe, before anybody reads.
        for _ in 0..<20 {
            piece.withUnsafeBufferPointer { writer.append($0) }
            try writer.flushIfFull()
        }
        #expect(writer.bytesAppended == 2_000_000)
        // A separate thread, because all of the tests' threads may be waiting for such a reader.
        let taken = Mutex<[UInt8]>([])
        let isRead = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            var chunk = [UInt8](repeating: 0, count: 50_000)
            while case let count = read(readEnd, &chunk, chunk.count), count > 0 {
                taken.withLock { $0 += chunk[..<count] }
            }
            isRead.signal()
        }
        writer.append("the end")
        try writer.flush()
        close(writeEnd)
        isRead.wait()
        let received = taken.withLock { $0 }
        #expect(received.count == 2_000_007)
        #expect(writer.bytesWritten == received.count)
        // Compared outside the expectation, which would search two million bytes for differences.
        let isWhole = (0..<20).allSatisfy { received[($0 * 100_000)...].starts(with: piece) }
        #expect(isWhole)
        close(readEnd)
    }

    @Test("The writer checks for interruption before each piece") func interruptionCheck() throws {
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

    @Test("Writing to a pipe without a reader throws closedPipe") func closedPipe() throws {
        let (readEnd, writeEnd) = try pipeEnds()
        close(readEnd)
        defer { close(writeEnd) }
        let writer = ByteWriter(descriptor: writeEnd)
        writer.append("abc")
        #expect(throws: OutputError.closedPipe) { try writer.flush() }
    }

    @Test("A failed write to the output throws its errno") func otherFailures() throws {
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

    @Test("A renderer stops at a closed pipe") func rendererStops() throws {
        let (readEnd, writeEnd) = try pipeEnds()
        close(readEnd)
        defer { close(writeEnd) }
        let renderer = OutputFormat.csv.renderer(of: nil, ByteWriter(descriptor: writeEnd), OutputStyle())
        #expect(throws: OutputError.closedPipe) {
            try renderer.render(Array(repeating: [.value(.text("a place"))], count: 20_000))
        }
    }
}
