import Foundation
import QuakeHTTP
import QuakeTestSupport
import Testing

// Proves feature A3 of seeds.md.
@Suite("A transport made of an async function", .endsInTime) struct AsyncTransportTests {
    private let request = TransportRequest(url: "http://a/", deadline: .seconds(30), bodyLimit: 10)

    private func get(
        _ request: TransportRequest? = nil, monitor: TransferMonitor = TransferMonitor(),
        _ send: @escaping @Sendable (TransportRequest) async throws -> TransportResponse
    ) async throws -> TransportResponse {
        let request = request ?? self.request
        return try await onOwnThread { try AsyncTransport(send).get(request, monitor: monitor) }
    }

    private static func response(_ text: String) -> TransportResponse {
        TransportResponse(status: 200, url: "http://a/", body: Data(text.utf8))
    }

    /// Returns only when the task is canceled, by throwing the sleep's error.
    private static func never(_ request: TransportRequest) async throws -> TransportResponse {
        try await Task.sleep(for: .seconds(3600))
        return response("")
    }

    @Test("AsyncTransport returns the response of its async function or throws the function's error") func outcome()
        async throws
    {
        let response = try await get { request in Self.response(request.host) }
        #expect(response.body == Data("a".utf8) && response.status == 200)
        await #expect(throws: TransportError.notHTTP(host: "a", cause: "b")) {
            try await get { _ in throw TransportError.notHTTP(host: "a", cause: "b") }
        }
        struct Fault: Error {}
        await #expect(throws: TransportError.connectionLost(host: "a", cause: "Fault()")) {
            try await get { _ in throw Fault() }
        }
    }

    @Test("AsyncTransport rejects a body larger than the request's limit") func limit() async throws {
        await #expect(throws: TransportError.bodyTooLarge(limit: 10)) {
            try await get { _ in Self.response("12345678901") }
        }
    }

    @Test("AsyncTransport stops waiting for its function at the deadline or on cancellation") func ends() async throws {
        let short = TransportRequest(url: "http://a/", deadline: .milliseconds(20))
        await #expect(throws: TransportError.deadlineExceeded(seconds: 0.02)) { try await get(short, Self.never) }
        let monitor = TransferMonitor()
        await #expect(throws: TransportError.interrupted) {
            try await get(monitor: monitor) { request in
                monitor.cancel()
                return try await Self.never(request)
            }
        }
    }
}
