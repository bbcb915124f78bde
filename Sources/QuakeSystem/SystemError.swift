import Glibc

/// A failed system call.
package struct SystemError: Error, Hashable {
    package let code: Int32

    /// Creates the error with the number `code`; by default, errno after the last failed call on this thread.
    package init(_ code: Int32 = errno) { self.code = code }

    /// The system's description of the error.
    package var reason: String { String(cString: strerror(code)) }
}
