import Glibc

/// A call of the system that failed.
package struct SystemError: Error, Hashable {
    package let code: Int32

    /// The error number `code`; by default the one that the last call on this thread set.
    package init(_ code: Int32 = errno) { self.code = code }

    /// What the system says about it.
    package var reason: String { String(cString: strerror(code)) }
}
