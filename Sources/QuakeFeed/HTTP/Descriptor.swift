import Glibc

/// An open file descriptor that is closed when its owner goes.
struct Descriptor: ~Copyable {
    let number: Int32

    init(_ number: Int32) {
        self.number = number
    }

    deinit {
        close(number)
    }

    /// Sends `bytes` as all that will ever come from this end of a pair; false, with errno set, where that fails.
    func sendAll(_ bytes: [UInt8]) -> Bool {
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

    /// Writes all of `bytes` to a file; false, with errno set, where that fails.
    func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = Glibc.write(number, rest.baseAddress, rest.count)
            if count < 0 {
                if errno == EINTR { continue }
                return false
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        return true
    }

    /// Reads what is there into `buffer`: a count, 0 at the end, -1 with errno set on failure.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        while true {
            let count = Glibc.read(number, buffer.baseAddress, buffer.count)
            if count >= 0 || errno != EINTR { return count }
        }
    }
}

/// What the system says about the error number `code`.
func systemMessage(_ code: Int32 = errno) -> String {
    String(cString: strerror(code))
}
