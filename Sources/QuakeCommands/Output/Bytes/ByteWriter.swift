import Glibc
import QuakeModel

/// Collects bytes in memory and writes them to a file descriptor, 64 KB at a time.
///
/// Appending cannot fail. Only ``flushIfFull()``, which is called between rows, and ``flush()`` write and throw, so the
/// code for a row has no error paths. The deinitializer does not flush.
final class ByteWriter {
    static let threshold = 65_536

    private let descriptor: Int32
    /// The bytes that were appended but not yet written.
    private let pending = ByteBuffer()
    private(set) var bytesWritten = 0
    /// Called before each piece is written, and with true while the reader is not reading. Returning true aborts the
    /// write. If nil, writes wait without limit.
    var isInterrupted: ((_ isBlocked: Bool) -> Bool)?
    /// The remaining time for which rows may wait for the reader.
    private var patience: Duration
    /// The output that the reader did not read within ``patience``.
    private var spilled: SpilledOutput?
    /// Whether the reader is a person whose terminal shows ASCII only.
    var writesASCII = false
    /// Whether the reader can keep a write waiting, as with a pipe but not a file.
    private let mayBlock: Bool

    /// Creates a writer to the open `descriptor`, which it does not close.
    init(descriptor: Int32, patience: Duration = .seconds(2)) {
        (self.descriptor, self.patience) = (descriptor, patience)
        var status = stat()
        mayBlock =
            fstat(descriptor, &status) == 0
            && ([S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT) || isatty(descriptor) == 1)
    }

    convenience init(_ stream: StandardStream) { self.init(descriptor: stream.descriptor) }

    /// The number of bytes appended so far, written or not.
    var bytesAppended: Int { bytesWritten + pending.count }

    /// The text that was appended but not yet written.
    var pendingText: String { String(decoding: pending.bytes, as: UTF8.self) }

    /// Removes the last byte appended, which must not have been written yet.
    func removeLast() { pending.removeLast(1) }

    /// Writes the collected bytes if there are 64 KB or more. Called while rows are being read.
    ///
    /// If the reader is not reading, rows wait for at most ``patience`` in total. Further output is kept in a file,
    /// which ``flush()`` writes.
    @inline(__always) func flushIfFull() throws(OutputError) {
        if pending.count >= Self.threshold { try flushBetweenRows() }
    }

    /// Does the work of ``flushIfFull()`` for any number of bytes.
    private func flushBetweenRows() throws(OutputError) {
        guard mayBlock else { return try flush() }
        reduceToASCII()
        var start = 0
        defer { pending.removeFirst(start) }
        while start < pending.count, spilled == nil {
            let room = try roomForWriting(pending.count - start, waitingUpTo: patience)
            if room > 0 {
                start += try writeOnce(pending.bytes, from: start, room)
            } else {
                spilled = SpilledOutput()
                // If no file can be created for the rest, rows must wait for the reader.
                if spilled == nil { patience = .seconds(Int64(Int32.max)) }
            }
        }
        guard let spilled, start < pending.count else { return }
        let count = spilled.append(UnsafeBufferPointer(rebasing: pending.bytes[start...]))
        bytesWritten += count
        pending.removeFirst(start + count)
        start = 0
        guard pending.count > 0 else { return }
        patience = .seconds(Int64(Int32.max))
        try flush()
    }

    /// Writes all collected bytes, however long the reader takes. After a failure, the next call writes the rest.
    func flush() throws(OutputError) {
        reduceToASCII()
        try drain()
        var start = 0
        defer { pending.removeFirst(start) }
        try writeAll(pending.bytes, from: &start)
    }

    /// Converts the collected text, which never ends within a character, to ASCII.
    private func reduceToASCII() {
        guard writesASCII else { return }
        let text = ASCIIText.of(pendingText)
        pending.removeAll()
        pending.append(text)
    }

    private func drain() throws(OutputError) {
        guard let output = spilled else { return }
        spilled = nil
        try output.forEachPiece { piece throws(OutputError) in
            // These bytes were already counted when they were spilled.
            bytesWritten -= piece.count
            var start = 0
            try writeAll(piece, from: &start)
        }
    }

    private func writeAll(_ bytes: UnsafeBufferPointer<UInt8>, from start: inout Int) throws(OutputError) {
        while start < bytes.count {
            let rest = bytes.count - start
            let room = isInterrupted == nil ? rest : try roomForWriting(rest, waitingUpTo: nil)
            start += try writeOnce(bytes, from: start, room)
        }
    }

    /// Writes up to `count` bytes and returns the number written.
    private func writeOnce(
        _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, _ count: Int
    ) throws(OutputError) -> Int {
        let written = write(descriptor, bytes.baseAddress?.advanced(by: start), count)
        guard written >= 0 else {
            try recover(from: errno)
            return 0
        }
        bytesWritten += written
        return written
    }

    /// Returns how many bytes, up to `count`, a pipe accepts without blocking; 0 after `limit`. Reduces ``patience``.
    private func roomForWriting(_ count: Int, waitingUpTo limit: Duration?) throws(OutputError) -> Int {
        if isInterrupted?(false) == true { throw .interrupted }
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&waiting, 1, 0) == 0 else { return min(count, 4096) }
        let clock = ContinuousClock()
        let start = clock.now
        while poll(&waiting, 1, 50) == 0 {
            if isInterrupted?(true) == true { throw .interrupted }
            if let limit, clock.now - start >= limit {
                patience = .zero
                return 0
            }
        }
        if limit != nil { patience -= clock.now - start }
        return min(count, 4096)
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

    @inline(__always) func append(integer: Int64) { append { NumberText.write(integer, to: $0) } }

    /// Appends a finite number in the shortest form that reads back as the same value: `5`, `4.35`, `1e-09`.
    @inline(__always) func append(real: Double) { append { NumberText.write(real, to: $0) } }

    /// Appends a moment in ISO 8601 format, in UTC with milliseconds.
    @inline(__always) func append(moment: Timestamp) {
        append { moment.writeISO8601(into: UnsafeMutableBufferPointer(start: $0, count: NumberText.capacity)) }
    }

    /// Appends the bytes that `number` writes, whose count it returns.
    @inline(__always) private func append(_ number: (UnsafeMutablePointer<UInt8>) -> Int) {
        pending.append(upTo: NumberText.capacity, number)
    }
}
