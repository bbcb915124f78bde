import Foundation
import QuakeURLSession
import Synchronization

/// Downloads with URLSession, in the process that asks.
///
/// Two faults of Foundation on Linux (Swift 6.3) concern a program that stays running, and are why the command line
/// uses a helper process instead. While URLSession waits for a server it keeps one processor core busy. And when a
/// server closes the connection within the head of its answer, Foundation ends the process with "Transfer completed,
/// but there's no response". A program that cannot accept this passes another ``/QuakeHTTP/HTTPTransport`` to its
/// mirror: ``/QuakeHTTP/AsyncTransport`` around its own HTTP client, or ``/QuakeHTTP/FetchProcess`` with the helper.
public struct URLSessionTransport: HTTPTransport {
    /// A transport. It keeps no connection, no cookie and no cache from one request to the next.
    public init() {}

    /// Sends `request` and waits for the whole answer.
    ///
    /// - Throws: ``/QuakeHTTP/TransportError`` when there is no whole answer.
    public func get(_ request: HTTPRequest) throws(TransportError) -> HTTPResponse {
        try get(request, monitor: TransferMonitor())
    }

    /// Sends `request` and waits for the whole answer, or until `monitor` is canceled.
    ///
    /// - Throws: ``/QuakeHTTP/TransportError`` when there is no whole answer.
    public func get(_ request: HTTPRequest, monitor: TransferMonitor) throws(TransportError) -> HTTPResponse {
        let sink = SpoolSink(monitor)
        try URLSessionDownload(request).run(into: sink, monitor: monitor)
        return try sink.response(to: request)
    }
}

/// Collects an answer.
private final class SpoolSink: DownloadSink {
    private struct State: ~Copyable {
        var head: HTTPResponseHead?
        var spool = BodySpool(directory: NSTemporaryDirectory())
    }

    private let state = Mutex(State())
    private let monitor: TransferMonitor

    init(_ monitor: TransferMonitor) { self.monitor = monitor }

    func begin(_ head: HTTPResponseHead) throws(TransportError) {
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

    /// The answer, after its end.
    func response(to request: HTTPRequest) throws(TransportError) -> HTTPResponse {
        try state.withLock { state throws(TransportError) in
            guard let head = state.head else { throw .connectionLost(host: request.host, cause: "no response") }
            var spool = BodySpool(directory: NSTemporaryDirectory())
            swap(&spool, &state.spool)
            return HTTPResponse(head: head, body: try spool.finish())
        }
    }
}
