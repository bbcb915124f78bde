import Glibc

/// An open file descriptor that is closed when its owner drops it.
package struct Descriptor: ~Copyable, Sendable {
    package let number: Int32

    package init(_ number: Int32) { self.number = number }

    deinit { close(number) }

    /// Sends `bytes` and then ends the stream; returns false, with errno set, if that fails.
    package func sendAll(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                send(number, $0.baseAddress?.advanced(by: sent), $0.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno != EINTR { return false }
            sent += max(0, count)
        }
        return shutdown(number, Int32(SHUT_WR)) == 0
    }

    /// Writes all of `bytes`, and returns the number of bytes written. After a failure, that number is lower than the
    /// number of `bytes`, and errno is set.
    package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int {
        var written = 0
        while written < bytes.count {
            let count = Glibc.write(descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written)
            if count < 0, errno != EINTR { break }
            written += max(count, 0)
        }
        return written
    }

    /// Reads available bytes, or those at `offset` in a file, into `buffer`. Returns their number, 0 at the end, or -1
    /// with errno set after a failure.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int? = nil) -> Int {
        while true {
            let count =
                if let offset {
                    pread(number, buffer.baseAddress, buffer.count, off_t(offset))
                } else {
                    Glibc.read(number, buffer.baseAddress, buffer.count)
                }
            if count >= 0 || errno != EINTR { return count }
        }
    }
}
