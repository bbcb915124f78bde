import Foundation
import QuakeURLSession
import Synchronization

/// Downloads with URLSession in the calling process.
///
/// Foundation on Linux (Swift 6.3) has two faults. URLSession keeps one processor core busy while it waits for a
/// server. If the server closes the connection within the response's head, Foundation ends the process with "Transfer
/// completed, but there's no response". A long-running program can avoid both with another
/// ``/QuakeHTTP/HTTPTransport``, such as ``/QuakeHTTP/AsyncTransport`` with its own HTTP client.
public struct URLSessionTransport: HTTPTransport {
    /// Creates a transport. It keeps no connections, cookies or cache between requests.
    public init() {}

    public func get(_ request: TransportRequest) throws(TransportError) -> TransportResponse {
        try get(request, monitor: TransferMonitor())
    }

    public func get(_ request: TransportRequest, monitor: TransferMonitor) throws(TransportError) -> TransportResponse {
        let sink = SpoolSink(monitor)
        try URLSessionDownload(request).run(into: sink, monitor: monitor)
        return try sink.response(to: request)
    }
}

private final class SpoolSink: DownloadSink {
    private struct State: ~Copyable {
        var head: TransportResponseHead?
        var spool = BodySpool(directory: NSTemporaryDirectory())
    }

    private let state = Mutex(State())
    private let monitor: TransferMonitor

    init(_ monitor: TransferMonitor) { self.monitor = monitor }

    func begin(_ head: TransportResponseHead) throws(TransportError) { state.withLock { $0.head = head } }

    func write(_ piece: Data) throws(TransportError) {
        let count = try state.withLock { state throws(TransportError) in
            try piece.withUnsafeBytes { bytes in
                Result { () throws(TransportError) in try state.spool.append(bytes) }
            }.get()
            return state.spool.count
        }
        monitor.report(DownloadProgress(receivedBytes: count))
    }

    func end() throws(TransportError) {}

    /// Returns the complete response.
    func response(to request: TransportRequest) throws(TransportError) -> TransportResponse {
        try state.withLock { state throws(TransportError) in
            guard let head = state.head else { throw .connectionLost(host: request.host, cause: "no response") }
            var spool = BodySpool(directory: NSTemporaryDirectory())
            swap(&spool, &state.spool)
            return TransportResponse(head: head, body: try spool.finish())
        }
    }
}
