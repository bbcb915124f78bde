import Glibc

/// A failed system call.
package struct SystemError: Error, Hashable {
    package let code: Int32

    /// The error with number `code`, by default that of the last call on this thread.
    package init(_ code: Int32 = errno) { self.code = code }

    /// The system's description of the error.
    package var reason: String { String(cString: strerror(code)) }
}
