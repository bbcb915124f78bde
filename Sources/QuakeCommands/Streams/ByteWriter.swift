import Glibc
import QuakeModel

/// Collects bytes in memory and writes them to a file descriptor, 64 KB at a time.
///
/// Appending cannot fail. Only ``flushIfFull()``, which is called between rows, and ``flush()`` write and throw, so the
/// code for a row has no error paths. The deinitializer does not flush.
///
/// `quakes list | less` must not keep a read transaction open while someone reads a page, because the cache's log could
/// not be emptied in the meantime. So rows do not wait for a slow reader: up to 32 MB of output (about 45,000 quakes as
/// JSON, or 400,000 lines of a table) stay in memory, the transaction ends, and ``flush()`` serves the reader. Only
/// rows beyond that wait.
final class ByteWriter {
    static let threshold = 65_536
    /// The number of bytes from which rows wait for the reader.
    private let mostUnread: Int

    private let descriptor: Int32
    /// The bytes that were appended last. Renderers of machine formats append here.
    let pending = ByteBuffer()
    /// The blocks before `pending` that the reader had no room for, oldest first.
    private var unread: [[UInt8]] = []
    /// The number of bytes of the oldest block that were written since.
    private var caughtUp = 0
    /// The number of bytes in `unread` that were not written yet.
    private var unreadBytes = 0
    private(set) var bytesWritten = 0
    /// Called before each piece is written, and with true while the reader is not reading. Returning true aborts the
    /// write. If nil, writes wait without limit.
    var isInterrupted: ((_ isBlocked: Bool) -> Bool)?
    /// Whether the reader is a person whose terminal shows ASCII only.
    var writesASCII = false
    /// Whether the reader can keep a write waiting, as with a pipe but not a file.
    private let mayBlock: Bool

    /// Creates a writer to the open `descriptor`, which it does not close.
    init(descriptor: Int32, mostUnread: Int = 32 << 20) {
        self.descriptor = descriptor
        self.mostUnread = mostUnread
        var status = stat()
        mayBlock =
            fstat(descriptor, &status) == 0
            && ([S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT) || isatty(descriptor) == 1)
    }

    /// The number of bytes appended so far, written or not.
    var bytesAppended: Int { bytesWritten + unreadBytes + pending.count }

    /// The text that was appended last and has neither been written nor had to wait for the reader.
    var pendingText: String { String(decoding: pending.bytes, as: UTF8.self) }

    /// Writes the collected bytes if there are 64 KB or more. Called while rows are being read.
    @inline(__always) func flushIfFull() throws(OutputError) {
        if pending.count >= Self.threshold { try flushBetweenRows() }
    }

    /// Writes what the reader has room for, and keeps up to ``mostUnread`` bytes that it has no room for.
    private func flushBetweenRows() throws(OutputError) {
        guard mayBlock else { return try flush() }
        reduceToASCII()
        unread.append(Array(pending.bytes))
        unreadBytes += pending.count
        pending.removeAll()
        while !unread.isEmpty, try hasRoom(waits: unreadBytes > mostUnread) {
            try writeUnread(atMost: Self.leastRoom)
        }
    }

    /// Writes all collected bytes, however long the reader takes. After a failure, the next call writes the rest.
    func flush() throws(OutputError) {
        reduceToASCII()
        while !unread.isEmpty {
            try writeUnread(atMost: nextCount(of: unreadBytes))
        }
        var start = 0
        defer { pending.removeFirst(start) }
        while start < pending.count {
            start += try writeOnce(pending.bytes, from: start, atMost: nextCount(of: pending.count - start))
        }
    }

    /// Writes up to `count` bytes of the oldest block.
    private func writeUnread(atMost count: Int) throws(OutputError) {
        let block = unread[0]
        let written = try block.withUnsafeBufferPointer { bytes throws(OutputError) in
            try writeOnce(bytes, from: caughtUp, atMost: count)
        }
        caughtUp += written
        unreadBytes -= written
        guard caughtUp == block.count else { return }
        unread.removeFirst()
        caughtUp = 0
    }

    /// Waits for room if the write may be interrupted. Returns the number of bytes to write next, of `rest`.
    private func nextCount(of rest: Int) throws(OutputError) -> Int {
        guard isInterrupted != nil, try hasRoom(waits: true) else { return rest }
        return Self.leastRoom
    }

    /// Converts the text appended last, which never ends within a character, to ASCII.
    private func reduceToASCII() {
        guard writesASCII else { return }
        let text = ASCIIText.of(pendingText)
        pending.removeAll()
        pending.append(text)
    }

    /// Writes up to `count` of the bytes from `start` on, and returns the number written.
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

    /// The number of bytes that a pipe with any room accepts without blocking.
    private static let leastRoom = 4096

    /// Whether the reader has room for ``leastRoom`` bytes. With `waits`, returns true once it has.
    private func hasRoom(waits: Bool) throws(OutputError) -> Bool {
        if isInterrupted?(false) == true { throw .interrupted }
        var end = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        while poll(&end, 1, waits ? 50 : 0) == 0 {
            guard waits else { return false }
            if isInterrupted?(true) == true { throw .interrupted }
        }
        return true
    }

    /// Returns after a signal, or once a non-blocking descriptor has room again. Throws for other errors.
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

    /// Appends `byte` `count` times, if `count` is positive.
    func append(byte: UInt8, count: Int) { for _ in 0..<max(0, count) { pending.append(byte) } }

    @inline(__always) func append(_ bytes: UnsafeBufferPointer<UInt8>) { pending.append(bytes) }

    func append(_ text: String) { pending.append(text) }

    /// Appends text with every unsafe character replaced.
    func append(sanitized text: String) { append(TerminalText.sanitized(text)) }

    /// Appends the output of `body` in `color`, given as SGR parameters; nil is the default color.
    func append(in color: String?, _ body: () -> Void) {
        guard let color else { return body() }
        append("\u{1B}[\(color)m")
        body()
        append("\u{1B}[0m")
    }
}
