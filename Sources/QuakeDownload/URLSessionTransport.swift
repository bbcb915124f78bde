import Foundation
import QuakeURLSession
import Synchronization

/// Downloads with URLSession in the calling process.
///
/// Because of two faults of Foundation on Linux (Swift 6.3), the command line uses a helper process instead: URLSession
/// keeps one processor core busy while it waits for a server, and when a server closes the connection within the head
/// of its response, Foundation ends the process with "Transfer completed, but there's no response". A long-running
/// program that cannot accept this passes its mirror another ``/QuakeHTTP/HTTPTransport``, such as
/// ``/QuakeHTTP/AsyncTransport`` around its own HTTP client.
public struct URLSessionTransport: HTTPTransport {
    /// Creates a transport. It keeps no connections, cookies or cache between requests.
    public init() {}

    /// Sends `request` and waits for the complete response.
    ///
    /// - Throws: ``/QuakeHTTP/TransportError`` if there is no complete response.
    public func get(_ request: TransportRequest) throws(TransportError) -> TransportResponse {
        try get(request, monitor: TransferMonitor())
    }

    /// Sends `request` and waits for the complete response, or until `monitor` is canceled.
    ///
    /// - Throws: ``/QuakeHTTP/TransportError`` if there is no complete response.
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

    func begin(_ head: TransportResponseHead) throws(TransportError) {
        state.withLock { $0.head = head }
    }

    func write(_ piece: Data) throws(TransportError) {
        let count = try state.withLock { state throws(TransportError) in
            try piece.withUnsafeBytes { bytes in
                Result { () throws(TransportError) in try state.spool.append(bytes) }
            }.get()
            return state.spool.count
        }
        monitor.report(DownloadProgress(received: count))
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
