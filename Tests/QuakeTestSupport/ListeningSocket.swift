import Glibc

/// A call to the system that a test server needs failed.
struct ServerFault: Error {
    let call: String
    let code: Int32
}

/// A TCP socket that listens on a free port of the loopback interface.
final class ListeningSocket: Sendable {
    let descriptor: Int32
    let port: UInt16

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        port = try Self.bindToFreePort(descriptor)
    }

    private static func bindToFreePort(_ descriptor: Int32) throws -> UInt16 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isReady = withUnsafeMutableBytes(of: &address) { bytes in
            let generic = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            return bind(descriptor, generic, length) == 0 && listen(descriptor, 16) == 0
                && getsockname(descriptor, generic, &length) == 0
        }
        guard isReady else { throw ServerFault(call: "listen", code: errno) }
        return UInt16(bigEndian: address.sin_port)
    }

    deinit {
        close(descriptor)
    }

    /// The next connection, or nil where none came within `milliseconds`.
    func accept(within milliseconds: Int32) -> Int32? {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, milliseconds) > 0 else { return nil }
        let connection = Glibc.accept(descriptor, nil, nil)
        guard connection >= 0 else { return nil }
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        return connection
    }
}
