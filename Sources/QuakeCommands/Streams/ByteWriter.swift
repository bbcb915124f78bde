import Glibc
import QuakeModel

/// Collects bytes in memory and writes them to a file descriptor, 64 KB at a time.
///
/// Appending cannot fail. Only ``flushIfFull()``, which is called between rows, and ``flush()`` write and throw, so the
/// code that appends a row needs no error handling. The deinitializer does not flush.
///
/// `quakes list | less` must not keep a read transaction open while somebody reads a page, because the write-ahead log
/// could not be emptied in the meantime. So rows do not wait for a slow reader: up to 32 MB of output (about 45,000
/// quakes as JSON, or 400,000 lines of a table) stay in memory, the transaction ends, and ``flush()`` then waits for
/// the reader. Only rows beyond 32 MB wait during the transaction.
final class ByteWriter {
    static let threshold = 65_536
    /// The maximum number of unread bytes in memory. With more, rows wait for the reader.
    private let maximumUnreadBytes: Int

    private let descriptor: Int32
    /// The bytes that were appended last. Renderers of machine formats append here.
    let pending = ByteBuffer()
    /// The blocks before `pending` that are still to be written, oldest first, because the reader had no room for them.
    private var unreadBlocks: [[UInt8]] = []
    /// The number of bytes of the oldest unread block that have been written so far.
    private var writtenOfOldestBlock = 0
    /// The number of bytes in `unreadBlocks` that have not been written yet.
    private var unreadBytes = 0
    private(set) var bytesWritten = 0
    /// Called with false before each piece is written, and with true again and again while the reader has no room.
    /// Returning true aborts the write. If this is nil, writes wait without limit.
    var isInterrupted: ((_ isBlocked: Bool) -> Bool)?
    /// Whether to write only ASCII, for a terminal that does not support UTF-8.
    var writesASCII = false
    /// Whether a write may have to wait for the reader, as with a pipe, socket or terminal, but not a file.
    private let mayBlock: Bool

    /// Creates a writer to the open `descriptor`, and does not close it.
    init(descriptor: Int32, maximumUnreadBytes: Int = 32 << 20) {
        self.descriptor = descriptor
        self.maximumUnreadBytes = maximumUnreadBytes
        var status = stat()
        mayBlock =
            fstat(descriptor, &status) == 0
            && ([S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT) || isatty(descriptor) == 1)
    }

    /// The number of bytes appended so far, written or not.
    var bytesAppended: Int { bytesWritten + unreadBytes + pending.count }

    /// The text in `pending`: appended last, neither written nor moved to `unreadBlocks`.
    var pendingText: String { String(decoding: pending.bytes, as: UTF8.self) }

    /// Writes the pending bytes if there are 64 KB or more. Called while rows are being read.
    @inline(__always) func flushIfFull() throws(OutputError) {
        if pending.count >= Self.threshold { try flushBetweenRows() }
    }

    /// Writes what the reader has room for, and keeps up to ``maximumUnreadBytes`` other bytes in memory.
    private func flushBetweenRows() throws(OutputError) {
        guard mayBlock else { return try flush() }
        reduceToASCII()
        unreadBlocks.append(Array(pending.bytes))
        unreadBytes += pending.count
        pending.removeAll()
        while !unreadBlocks.isEmpty, try hasRoom(waits: unreadBytes > maximumUnreadBytes) {
            try writeUnread(atMost: Self.minimumPipeRoom)
        }
    }

    /// Writes all collected bytes, however long that takes. If it fails, the next call continues.
    func flush() throws(OutputError) {
        reduceToASCII()
        while !unreadBlocks.isEmpty {
            try writeUnread(atMost: nextCount(of: unreadBytes))
        }
        var start = 0
        defer { pending.removeFirst(start) }
        while start < pending.count {
            start += try writeOnce(pending.bytes, from: start, atMost: nextCount(of: pending.count - start))
        }
    }

    /// Writes up to `count` bytes of the oldest unread block.
    private func writeUnread(atMost count: Int) throws(OutputError) {
        let block = unreadBlocks[0]
        let written = try block.withUnsafeBufferPointer { bytes throws(OutputError) in
            try writeOnce(bytes, from: writtenOfOldestBlock, atMost: count)
        }
        writtenOfOldestBlock += written
        unreadBytes -= written
        guard writtenOfOldestBlock == block.count else { return }
        unreadBlocks.removeFirst()
        writtenOfOldestBlock = 0
    }

    /// Returns the number of bytes to write next: `rest` or, if the write may be interrupted, a piece for which the
    /// reader has room, after waiting for that room.
    private func nextCount(of rest: Int) throws(OutputError) -> Int {
        guard isInterrupted != nil, try hasRoom(waits: true) else { return rest }
        return Self.minimumPipeRoom
    }

    /// Converts the pending text, which never ends within a character, to ASCII.
    private func reduceToASCII() {
        guard writesASCII else { return }
        let text = ASCIIText.of(pendingText)
        pending.removeAll()
        pending.append(text)
    }

    /// Writes up to `count` bytes from the offset `start`, and returns the number of bytes written.
    private func writeOnce(
        _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, atMost count: Int
    ) throws(OutputError) -> Int {
        let written = write(descriptor, bytes.baseAddress?.advanced(by: start), min(count, bytes.count - start))
        guard written >= 0 else {
            try recover(from: errno)
            return 0
        }
        bytesWritten += written
        return written
    }

    /// A pipe that poll(2) reports as writable has room for at least this many bytes (`PIPE_BUF`).
    private static let minimumPipeRoom = 4096

    /// Returns whether the reader has room for ``minimumPipeRoom`` bytes. If `waits` is true, first waits until it
    /// does.
    private func hasRoom(waits: Bool) throws(OutputError) -> Bool {
        if isInterrupted?(false) == true { throw .interrupted }
        var end = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        while poll(&end, 1, waits ? 50 : 0) == 0 {
            guard waits else { return false }
            if isInterrupted?(true) == true { throw .interrupted }
        }
        return true
    }

    /// Handles a failed write: returns after a signal, or once a non-blocking descriptor has room again. Throws for
    /// other errors.
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

extension ByteWriter {
    @inline(__always) func append(byte: UInt8) { pending.append(byte) }

    /// Appends `byte` `count` times; nothing if `count` is negative.
    func append(byte: UInt8, count: Int) { for _ in 0..<max(0, count) { pending.append(byte) } }

    @inline(__always) func append(_ bytes: UnsafeBufferPointer<UInt8>) { pending.append(bytes) }

    func append(_ text: String) { pending.append(text) }

    /// Appends text, with every unsafe character replaced.
    func append(sanitized text: String) { append(TerminalText.sanitized(text)) }

    /// Appends what `body` appends, in `color`, given as SGR parameters (a code of terminal colors); nil for the
    /// default color.
    func append(in color: String?, _ body: () -> Void) {
        guard let color else { return body() }
        append("\u{1B}[\(color)m")
        body()
        append("\u{1B}[0m")
    }
}
