import Glibc
package import QuakeModel

/// Collects bytes in memory and writes them to a file descriptor, 64 KB at a time.
///
/// Appending cannot fail. Only ``flushIfFull()``, which is called between rows, and ``flush()`` write and throw, so the
/// code for a row has no error paths. The deinitializer does not flush.
package final class ByteWriter {
    package static let threshold = 65_536

    private let descriptor: Int32
    /// Receives the collected bytes instead of the file descriptor.
    private let sink: ((UnsafeBufferPointer<UInt8>) throws(OutputError) -> Void)?
    private var storage: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private var used = 0
    package private(set) var bytesWritten = 0
    /// Called before each piece is written, and with true while the reader is not reading. Returning true aborts the
    /// write. If nil, writes wait without limit.
    package var isInterrupted: ((_ isBlocked: Bool) -> Bool)?
    /// The remaining time for which rows may wait for the reader.
    private var patience: Duration
    /// The output that the reader did not read within ``patience``.
    private var spilled: SpilledOutput?
    /// Whether the reader is a person whose terminal shows ASCII only.
    package var writesASCII = false
    /// Whether the reader can keep a write waiting, as with a pipe but not a file.
    private let mayBlock: Bool

    /// Creates a writer to the open `descriptor`, which it does not close.
    package convenience init(descriptor: Int32, patience: Duration = .seconds(2)) {
        self.init(descriptor: descriptor, sink: nil, patience: patience)
    }

    /// Creates a writer that passes its bytes to `sink`.
    package convenience init(sink: @escaping (UnsafeBufferPointer<UInt8>) throws(OutputError) -> Void) {
        self.init(descriptor: -1, sink: sink, patience: .zero)
    }

    private init(
        descriptor: Int32, sink: ((UnsafeBufferPointer<UInt8>) throws(OutputError) -> Void)?, patience: Duration
    ) {
        (self.descriptor, self.sink, self.patience) = (descriptor, sink, patience)
        var status = stat()
        mayBlock =
            fstat(descriptor, &status) == 0
            && ([S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT) || isatty(descriptor) == 1)
        capacity = Self.threshold + 8192
        storage = .allocate(capacity: capacity)
    }

    package convenience init(_ stream: StandardStream) { self.init(descriptor: stream.descriptor) }

    deinit { storage.deallocate() }

    /// The number of bytes appended so far, written or not.
    package var bytesAppended: Int { bytesWritten + used }

    /// The text that was appended but not yet written.
    var pendingText: String { String(decoding: UnsafeBufferPointer(start: storage, count: used), as: UTF8.self) }

    /// Removes the last `count` bytes appended, which must not have been written yet.
    func removeLast(_ count: Int) { used -= count }

    /// Reserves memory for `count` more bytes. ``commit(_:)`` records how many were filled.
    @inline(__always) func reserve(_ count: Int) -> UnsafeMutablePointer<UInt8> {
        if capacity - used < count { grow(toHold: used + count) }
        return storage + used
    }

    /// Appends the first `count` bytes of the memory from ``reserve(_:)``.
    @inline(__always) func commit(_ count: Int) { used += count }

    @inline(never) private func grow(toHold needed: Int) {
        capacity = max(needed, 2 * capacity)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: storage, count: used)
        storage.deallocate()
        storage = larger
    }

    /// Writes the collected bytes if there are 64 KB or more. Called while rows are being read.
    ///
    /// If the reader is not reading, rows wait for at most ``patience`` in total. Further output is kept in a file,
    /// which ``flush()`` writes.
    @inline(__always) package func flushIfFull() throws(OutputError) {
        if used >= Self.threshold { try flushBetweenRows() }
    }

    /// Does the work of ``flushIfFull()`` for any number of bytes.
    package func flushBetweenRows() throws(OutputError) {
        guard mayBlock else { return try flush() }
        reduceToASCII()
        let end = used
        used = 0
        var start = 0
        while start < end, spilled == nil {
            let room = try roomForWriting(end - start, waitingUpTo: patience)
            guard room > 0 else {
                spilled = SpilledOutput()
                // If no file can be created for the rest, rows must wait for the reader.
                if spilled == nil { patience = .seconds(Int64(Int32.max)) }
                continue
            }
            start += try writeOnce(storage + start, room)
        }
        guard let spilled, start < end else { return }
        let count = spilled.append(storage + start, count: end - start)
        bytesWritten += count
        guard start + count < end else { return }
        try drain()
        patience = .seconds(Int64(Int32.max))
        try writeAll(storage + start + count, end - start - count)
    }

    /// Writes all collected bytes, however long the reader takes. After a failure, the next call writes the rest.
    package func flush() throws(OutputError) {
        reduceToASCII()
        let end = used
        used = 0
        if let sink {
            try sink(UnsafeBufferPointer(start: storage, count: end))
            bytesWritten += end
            return
        }
        var start = 0
        defer {
            storage.update(from: storage + start, count: end - start)
            used = end - start
        }
        try drain()
        try writeAll(storage, end, from: &start)
    }

    /// Converts the collected text, which never ends within a character, to ASCII.
    private func reduceToASCII() {
        guard writesASCII, !UnsafeBufferPointer(start: storage, count: used).isASCII else { return }
        let text = ASCIIText.of(pendingText)
        used = 0
        append(text)
    }

    private func drain() throws(OutputError) {
        guard let output = spilled else { return }
        spilled = nil
        try output.forEachPiece { bytes, count throws(OutputError) in
            // These bytes were already counted when they were spilled.
            bytesWritten -= count
            try writeAll(bytes, count)
        }
    }

    private func writeAll(_ bytes: UnsafePointer<UInt8>, _ end: Int) throws(OutputError) {
        var start = 0
        try writeAll(bytes, end, from: &start)
    }

    private func writeAll(_ bytes: UnsafePointer<UInt8>, _ end: Int, from start: inout Int) throws(OutputError) {
        while start < end {
            let room = isInterrupted == nil ? end - start : try roomForWriting(end - start, waitingUpTo: nil)
            start += try writeOnce(bytes + start, room)
        }
    }

    /// Writes up to `count` bytes and returns the number written.
    private func writeOnce(_ bytes: UnsafePointer<UInt8>, _ count: Int) throws(OutputError) -> Int {
        let written = write(descriptor, bytes, count)
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
    @inline(__always) package func append(byte: UInt8) {
        reserve(1).pointee = byte
        commit(1)
    }

    /// Appends `byte` `count` times, if `count` is positive.
    package func append(byte: UInt8, count: Int) {
        guard count > 0 else { return }
        reserve(count).update(repeating: byte, count: count)
        commit(count)
    }

    @inline(__always) package func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        reserve(bytes.count).update(from: start, count: bytes.count)
        commit(bytes.count)
    }

    package func append(_ text: String) {
        var text = text
        text.withUTF8 { append($0) }
    }

    @inline(__always) package func append(literal text: StaticString) {
        reserve(text.utf8CodeUnitCount).update(from: text.utf8Start, count: text.utf8CodeUnitCount)
        commit(text.utf8CodeUnitCount)
    }

    @inline(__always) package func append(integer: Int64) {
        commit(NumberText.write(integer, to: reserve(NumberText.capacity)))
    }

    /// Appends a finite number in the shortest form that reads back as the same value: `5`, `4.35`, `1e-09`.
    @inline(__always) package func append(real: Double) {
        commit(NumberText.write(real, to: reserve(NumberText.capacity)))
    }

    /// Appends a moment in ISO 8601 format, in UTC with milliseconds.
    @inline(__always) package func append(moment: Timestamp) {
        commit(moment.writeISO8601(into: UnsafeMutableBufferPointer(start: reserve(32), count: 32)))
    }
}

/// Checks on the bytes of a text field, each in one pass and without copying.
extension UnsafeBufferPointer<UInt8> {
    /// Whether `test` is true for every byte. Without an early exit, the compiler tests 16 bytes at a time.
    @inline(__always) func isEveryByte(_ test: (UInt8) -> Bool) -> Bool {
        var isEvery = true
        for byte in self { isEvery = test(byte) && isEvery }
        return isEvery
    }

    /// Whether every byte is ASCII, so that the text is valid UTF-8.
    @inline(__always) package var isASCII: Bool { isEveryByte { $0 < 0x80 } }

    /// Calls `body` with these bytes, with invalid UTF-8 replaced by U+FFFD. SQLite does not validate text.
    @inline(__always) func withValidUTF8<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if isASCII { return body(self) }
        var text = String(decoding: self, as: UTF8.self)
        return text.withUTF8(body)
    }
}

extension ByteWriter {
    /// Appends text with every unsafe character replaced.
    package func append(sanitized text: UnsafeBufferPointer<UInt8>) {
        if text.isPrintableASCII {
            append(text)
        } else {
            append(TerminalText.sanitized(String(decoding: text, as: UTF8.self)))
        }
    }

    package func append(sanitized text: String) {
        var text = text
        text.withUTF8 { append(sanitized: $0) }
    }
}

extension UnsafeBufferPointer<UInt8> {
    @inline(__always)
    var isPrintableASCII: Bool { isEveryByte { $0 >= 0x20 && $0 < 0x7F } }
}
