import Foundation
import Glibc
import Synchronization

/// A server on 127.0.0.1 that responds to each path with the document there, and to anything else with 404.
final class LoopbackServer: Sendable {
    /// `http://127.0.0.1:PORT`.
    let base: String
    private let listener: Int32
    private let documents = Mutex<[String: Data]>([:])

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && Glibc.listen(listener, 16) == 0
                    && getsockname(listener, $0, &size) == 0
            }
        }
        guard result else { throw POSIXError(.EADDRNOTAVAIL) }
        base = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
        let thread = Thread { [weak self] in
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                self?.answer(on: connection)
                close(connection)
            }
        }
        thread.start()
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    func serve(_ body: Data, at path: String) {
        documents.withLock { $0[path] = body }
    }

    private func answer(on connection: Int32) {
        var request: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while !request.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            let count = recv(connection, &piece, piece.count, 0)
            guard count > 0 else { return }
            request += piece.prefix(count)
        }
        let path =
            String(decoding: request, as: UTF8.self).split(separator: " ").dropFirst().first.map(String.init) ?? ""
        let body = documents.withLock { $0[path] }
        let status = body == nil ? "404 Not Found" : "200 OK"
        send(
            Data("HTTP/1.1 \(status)\r\nContent-Length: \(body?.count ?? 0)\r\nConnection: close\r\n\r\n".utf8),
            on: connection)
        send(body ?? Data(), on: connection)
    }

    private func send(_ data: Data, on connection: Int32) {
        var rest = Array(data)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
