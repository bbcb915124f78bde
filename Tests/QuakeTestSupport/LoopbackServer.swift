import Foundation
import Glibc
import Synchronization

/// A TCP server on a free port of the loopback interface, with a separate thread for each connection, so that no test
/// that computes keeps it waiting.
final class LoopbackServer: Sendable {
    /// A failed system call.
    struct Fault: Error {
        let call: String
        let code: Int32
    }

    let port: UInt16
    private let descriptor: Int32
    private let isStopped = Atomic(false)
    private let connections = Mutex<Set<Int32>>([])

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        port = try Self.bindToFreePort(descriptor)
    }

    /// Passes each connection to `serve` and closes it afterward, until the end of the test, whose suite must have the
    /// trait `.scratch`.
    func start(_ serve: @escaping @Sendable (LoopbackConnection) -> Void) throws {
        try ScratchDirectory.ofTest().servers.add(self)
        Thread.detachNewThread { [self] in
            while !isStopped.load(ordering: .relaxed) {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else { continue }
                _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                connections.withLock { _ = $0.insert(connection) }
                Thread.detachNewThread { [self] in
                    serve(LoopbackConnection(descriptor: connection))
                    connections.withLock {
                        $0.remove(connection)
                        close(connection)
                    }
                }
            }
            close(descriptor)
        }
    }

    private static func bindToFreePort(_ descriptor: Int32) throws -> UInt16 {
        var port: UInt16 = 0
        let isReady = withLoopbackAddress(port: &port) { address, length in
            bind(descriptor, address, length) == 0 && listen(descriptor, 16) == 0
                && getsockname(descriptor, address, &length) == 0
        }
        guard isReady else { throw Fault(call: "listen", code: errno) }
        return port
    }

    /// Accepts no more connections, and ends the open ones.
    fileprivate func stop() {
        isStopped.store(true, ordering: .relaxed)
        shutdown(descriptor, Int32(SHUT_RDWR))
        connections.withLock { for connection in $0 { shutdown(connection, Int32(SHUT_RDWR)) } }
    }
}

/// The servers of a test.
final class ScratchServers: Sendable {
    private let servers = Mutex<[LoopbackServer]>([])

    func add(_ server: LoopbackServer) { servers.withLock { $0.append(server) } }

    func stop() { servers.withLock { $0 }.forEach { $0.stop() } }
}

/// Calls `body` with the address of `port`, then updates `port` from that address.
private func withLoopbackAddress(
    port: inout UInt16, _ body: (UnsafeMutablePointer<sockaddr>, inout socklen_t) -> Bool
) -> Bool {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    address.sin_port = port.bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    defer { port = UInt16(bigEndian: address.sin_port) }
    return withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &length) }
    }
}

/// A connection of a ``LoopbackServer``.
struct LoopbackConnection {
    let descriptor: Int32

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// Connects to `port` on this machine; nil if nobody listens there. The owner must close the connection.
    init?(toPort port: UInt16) {
        var port = port
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard withLoopbackAddress(port: &port, { connect(number, $0, $1) == 0 }) else {
            close(number)
            return nil
        }
        descriptor = number
    }

    /// Reads the head of a request; nil if it is not complete within ten seconds.
    func request() -> LoopbackRequest? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, 10_000) > 0 else { return nil }
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            bytes += buffer[..<count]
        }
        return LoopbackRequest(head: String(decoding: bytes, as: UTF8.self))
    }

    /// Sends all of `data`. Returns false if nobody receives it.
    @discardableResult
    func send(_ data: Data) -> Bool {
        data.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                let start = bytes.baseAddress?.advanced(by: sent)
                let count = Glibc.send(descriptor, start, bytes.count - sent, Int32(MSG_NOSIGNAL))
                guard count > 0 else { return false }
                sent += count
            }
            return true
        }
    }

    /// Sends `answer`, with the first `part` of the body, from 0 to 1. Calls `beforeLast` before the last byte.
    func send(_ answer: ServedAnswer, part: Double = 1, beforeLast: () -> Void = {}) {
        var head = "HTTP/1.1 \(answer.status) Status \(answer.status)\r\nConnection: close\r\n"
        if answer.status != 204, answer.status != 304 { head += "Content-Length: \(answer.body.count)\r\n" }
        for (name, value) in answer.headers { head += "\(name): \(value)\r\n" }
        let data = Data((head + "\r\n").utf8) + answer.body.prefix(Int(Double(answer.body.count) * part))
        let isSent = send(data.dropLast())
        beforeLast()
        if isSent { send(data.suffix(1)) }
    }

    /// Waits until the client is gone or the server stops, for at most `duration`. Returns true if nobody is left.
    func hasEnded(within duration: Duration) -> Bool {
        // A client sends nothing after its request, so anything to read is the end.
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, Int32(duration / .milliseconds(1))) > 0
    }
}

/// The head of a request for a ``LoopbackServer``.
struct LoopbackRequest {
    /// The request target, as the client sent it.
    let target: String
    /// The header fields, with lowercase names.
    let headers: [String: String]

    fileprivate init?(head: String) {
        let lines = head.split(separator: "\r\n")
        guard let words = lines.first?.split(separator: " "), words.count == 3 else { return nil }
        target = String(words[1])
        headers = lines.dropFirst().reduce(into: [:]) { headers, line in
            guard let colon = line.firstIndex(of: ":") else { return }
            headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(
                in: .whitespaces)
        }
    }
}
