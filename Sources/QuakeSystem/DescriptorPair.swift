import CQuakes
import Glibc

/// Two connected descriptors, one for this process and one for a child.
///
/// Other children do not inherit these descriptors. Neither descriptor is 0, 1 or 2, even if this process was started
/// without standard streams.
package struct DescriptorPair: ~Copyable, Sendable {
    package let ours: Descriptor
    package let theirs: Descriptor

    /// Creates a socket pair. Writing to it never raises SIGPIPE.
    package static func sockets() throws(SystemError) -> DescriptorPair {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw SystemError() }
        return try DescriptorPair(ours: ends[0], theirs: ends[1])
    }

    /// Creates a pipe from this process to the child, which can open it as /dev/stdin.
    package static func pipe() throws(SystemError) -> DescriptorPair {
        let ends = try newPipe()
        return try DescriptorPair(ours: ends[1], theirs: ends[0])
    }

    /// Creates a pipe from the child to this process.
    package static func pipeFromChild() throws(SystemError) -> DescriptorPair {
        let ends = try newPipe()
        return try DescriptorPair(ours: ends[0], theirs: ends[1])
    }

    private static func newPipe() throws(SystemError) -> [Int32] {
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { throw SystemError() }
        return ends
    }

    private init(ours: Int32, theirs: Int32) throws(SystemError) {
        let pair = (Self.aboveStandardStreams(ours), Self.aboveStandardStreams(theirs))
        guard pair.0 >= 0, pair.1 >= 0 else {
            let code = errno
            close(pair.0)
            close(pair.1)
            throw SystemError(code)
        }
        self.ours = Descriptor(pair.0)
        self.theirs = Descriptor(pair.1)
    }

    /// Closes the child's end in this process, and returns our end. If this process kept the child's end open, reading
    /// from our end would never reach the end of the stream.
    package consuming func closingTheirs() -> Descriptor { ours }

    private static func aboveStandardStreams(_ number: Int32) -> Int32 {
        if number > STDERR_FILENO { return number }
        let higher = fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
        let code = errno
        close(number)
        errno = code
        return higher
    }
}
