import FlyingFox
import FlyingSocks
import Foundation
import Synchronization

/// The time in which a request is being answered: it is over when the last byte is handed to the socket, or when
/// nobody sends any more.
final class Flight: Sendable {
    private let end: Mutex<(@Sendable () -> Void)?>

    init(end: @escaping @Sendable () -> Void) {
        self.end = Mutex(end)
    }

    func land() {
        let end = end.withLock { end in
            defer { end = nil }
            return end
        }
        end?()
    }

    deinit {
        land()
    }
}

extension ServedAnswer {
    /// The response to send: `part` of the body, from 0 to 1. Of less than all the whole length is announced, and the
    /// connection closed.
    func response(part: Double, flight: Flight) -> FlyingFox.HTTPResponse {
        var fields = HTTPHeaders()
        for (name, value) in headers { fields[HTTPHeader(name)] = value }
        let code = HTTPStatusCode(status, phrase: "Status \(status)")
        guard !body.isEmpty else {
            flight.land()
            return HTTPResponse(statusCode: code, headers: fields)
        }
        let sent = min(Int(Double(body.count) * part), body.count)
        return HTTPResponse(
            statusCode: code, headers: fields,
            body: HTTPBodySequence(
                from: BodyInFlight(body: body, sent: sent, flight: flight), count: body.count,
                suggestedBufferSize: 1 << 16))
    }
}

/// The first `sent` bytes of a body.
private struct BodyInFlight: AsyncBufferedSequence {
    typealias Element = UInt8

    let body: Data
    let sent: Int
    let flight: Flight

    func makeAsyncIterator() -> Iterator {
        Iterator(rest: body.prefix(sent), isWhole: sent == body.count, flight: flight)
    }

    struct Iterator: AsyncBufferedIteratorProtocol {
        var rest: Data
        let isWhole: Bool
        let flight: Flight

        mutating func next() async throws -> UInt8? {
            try await nextBuffer(suggested: 1)?.first
        }

        mutating func nextBuffer(suggested count: Int) async throws -> Data? {
            let piece = rest.prefix(count)
            rest = rest.dropFirst(piece.count)
            if rest.isEmpty { flight.land() }
            if piece.isEmpty, !isWhole { throw SocketError.disconnected }
            return piece.isEmpty ? nil : piece
        }
    }
}

/// Closes the connection before anything is sent: FlyingFox closes where the other protocol cannot start.
struct ClosedConnection: WSHandler {
    let flight: Flight

    func makeFrames(for client: AsyncThrowingStream<WSFrame, any Error>) async throws -> AsyncStream<WSFrame> {
        throw SocketError.disconnected
    }
}
