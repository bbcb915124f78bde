import Foundation
import Glibc

/// Starts a proxy that connects to any port on this machine upon CONNECT, and returns its address. The suite must have
/// the trait `.scratch`.
public func tunnelProxyOfTest() throws -> String {
    let listener = try LoopbackServer()
    try listener.start { client in
        guard let port = client.request()?.target.split(separator: ":").last.flatMap({ UInt16($0) }),
            let server = LoopbackConnection(toPort: port)
        else { return }
        defer { close(server.descriptor) }
        client.send(Data("HTTP/1.1 200 Connection established\r\n\r\n".utf8))
        while client.passesOn(to: server) {}
    }
    return "http://127.0.0.1:\(listener.port)"
}

extension LoopbackConnection {
    /// Waits until either connection has data and passes it on to the other. Returns false if one has ended.
    fileprivate func passesOn(to other: LoopbackConnection) -> Bool {
        var ends = [self, other].map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        guard poll(&ends, 2, -1) > 0 else { return false }
        let (from, to) = ends[0].revents != 0 ? (self, other) : (other, self)
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(from.descriptor, &buffer, buffer.count, 0)
        return count > 0 && to.send(Data(buffer[..<count]))
    }
}
