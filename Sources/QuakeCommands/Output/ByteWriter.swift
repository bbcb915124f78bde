import Foundation
import QuakeModel

/// Bytes on their way to a file descriptor, collected and written 64 KB at a time.
///
/// Appending only fills memory and cannot fail; ``flushIfFull()``, called between rows, and ``flush()`` do the writing
/// and throw. A row is thus never half thrown away in the middle of its code, and the hot loop carries no error path.
/// Nothing is flushed on release: what was not flushed was not asked for.
final class ByteWriter {
    /// Bytes collected before ``flushIfFull()`` writes.
    static let threshold = 65_536

    private let descriptor: Int32
    private var storage: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private var used = 0
    /// Bytes that reached the file descriptor.
    private(set) var bytesWritten = 0
    /// Whether to give up on a reader that takes nothing. Asked only while there is no room; nil waits for ever.
    var isInterrupted: (() -> Bool)?

    /// A writer to the open `descriptor`, which stays open.
    init(descriptor: Int32) {
        self.descriptor = descriptor
        capacity = Self.threshold + 8192
        storage = .allocate(capacity: capacity)
    }

    /// A writer to `stream`.
    convenience init(_ stream: StandardStream) {
        self.init(descriptor: stream.descriptor)
    }

    deinit {
        storage.deallocate()
    }

    /// What was appended and not yet written, as text.
    var pendingText: String {
        String(decoding: UnsafeBufferPointer(start: storage, count: used), as: UTF8.self)
    }

    /// Room for `count` bytes after those appended so far; ``commit(_:)`` says how many were filled.
    @inline(__always)
    func reserve(_ count: Int) -> UnsafeMutablePointer<UInt8> {
        if capacity - used < count { grow(toHold: used + count) }
        return storage + used
    }

    /// Takes `count` bytes written to the memory ``reserve(_:)`` gave as appended.
    @inline(__always)
    func commit(_ count: Int) {
        used += count
    }

    @inline(never)
    private func grow(toHold needed: Int) {
        capacity = max(needed, 2 * capacity)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: storage, count: used)
        storage.deallocate()
        storage = larger
    }

    /// Writes what was collected if it is 64 KB or more.
    @inline(__always)
    func flushIfFull() throws(OutputError) {
        if used >= Self.threshold { try flush() }
    }

    /// Writes everything that was collected. After a failure the rest is dropped.
    func flush() throws(OutputError) {
        let end = used
        used = 0
        var start = 0
        while start < end {
            let count = write(descriptor, storage + start, try roomForWriting(end - start))
            if count >= 0 {
                start += count
                bytesWritten += count
            } else {
                try recover(from: errno)
            }
        }
    }

    /// How many of `count` bytes may be written at once: all, or where the writer must stay interruptible, what a pipe
    /// that has room takes without blocking.
    private func roomForWriting(_ count: Int) throws(OutputError) -> Int {
        guard let isInterrupted else { return count }
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        while poll(&waiting, 1, 50) == 0 {
            if isInterrupted() { throw .interrupted }
        }
        return min(count, 4096)
    }

    /// Returns where writing may go on: after a signal, and once a non-blocking descriptor has room again.
    private func recover(from code: Int32) throws(OutputError) {
        switch code {
        case EINTR: return
        case EAGAIN:
            var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            _ = poll(&waiting, 1, -1)
        case EPIPE: throw .closedPipe
        default: throw .writeFailed(errno: code)
        }
    }
}
