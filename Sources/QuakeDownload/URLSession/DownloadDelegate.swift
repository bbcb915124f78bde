import Dispatch
import Foundation
import QuakeHTTP
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Passes a download on to its sink. Only the first outcome counts; anything URLSession delivers later is ignored.
final class DownloadDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private struct State {
        var redirects = RedirectRule()
        var hasHead = false
        /// The latest head, not yet passed to the sink, because it may be a proxy's response to CONNECT.
        var head: TransportResponseHead?
        var received = 0
        var pieces = 0
        var isStopped = false
    }

    private let request: TransportRequest
    private let sink: any DownloadSink
    private let stopsAfterFailure: Bool
    private let state = Mutex(State())
    /// The outcome of the download.
    let outcome = AwaitedResult<Void>()

    init(request: TransportRequest, sink: any DownloadSink, stopsAfterFailure: Bool) {
        self.stopsAfterFailure = stopsAfterFailure
        self.request = request
        self.sink = sink
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        do throws(TransportError) {
            let request = try state.withLock { state throws(TransportError) in
                try state.redirects.follow(response, to: newRequest)
            }
            completionHandler(request)
        } catch {
            // The handler is not called, because nil would make the refused response the final one.
            outcome.settle(.failure(error))
        }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        attempt { () throws(TransportError) in try begin(response) }
        completionHandler(.allow)
        stopAfterFailure(dataTask)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        attempt { () throws(TransportError) in
            try passHead()
            let (received, pieces) = state.withLock { state in
                state.received += data.count
                state.pieces += 1
                return (state.received, state.pieces)
            }
            guard received <= request.bodyLimit else { throw .bodyTooLarge(limit: request.bodyLimit) }
            guard pieces <= URLSessionDownload.pieceLimit else {
                throw TransportError(
                    .bodyTooLarge,
                    "The response was rejected: its first \(received) bytes arrived in too many pieces (\(pieces)).")
            }
            try sink.write(data)
        }
        stopAfterFailure(dataTask)
    }

    /// Treats a request for a password as the final response. Otherwise URLSession would wait for a password.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        attempt { () throws(TransportError) in
            if !state.withLock({ $0.hasHead }) { try begin(challenge.failureResponse ?? task.response) }
            try passHead()
        }
        // The handler is not called, because every reply that ends the task would cancel it instead of completing it.
        outcome.settle(.success(()))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        attempt { () throws(TransportError) in
            let (hasHead, received, redirect) = state.withLock { ($0.hasHead, $0.received, $0.redirects.last) }
            if let error {
                throw TransportError(error, request: request, redirect: redirect, received: hasHead ? received : nil)
            }
            if !hasHead { try begin(task.response) }
            guard state.withLock(\.hasHead) else {
                throw .connectionLost(host: request.host, cause: "no final response")
            }
            try passHead()
        }
        outcome.settle(.success(()))
    }

    private func begin(_ response: URLResponse?) throws(TransportError) {
        guard let response = response as? HTTPURLResponse else {
            throw .notHTTP(host: request.host, cause: "no HTTP response")
        }
        // 100 Continue and 103 Early Hints precede the actual response.
        guard response.statusCode >= 200 else { return }
        let head = TransportResponseHead(response, requested: request.url)
        if let location = response.unfollowedLocation { throw .redirectRefused(from: head.url, to: location) }
        try head.requireKnownEncoding()
        if let length = head.announcedBodyLength, length > request.bodyLimit {
            throw .bodyTooLarge(limit: request.bodyLimit)
        }
        state.withLock { state in
            state.hasHead = true
            state.head = head
        }
    }

    private func passHead() throws(TransportError) {
        if let head = state.withLock({ $0.head.take() }) { try sink.begin(head) }
    }

    /// Stops a failed download once, if `stopsAfterFailure` is true.
    private func stopAfterFailure(_ task: URLSessionTask) {
        let isFirst = state.withLock { state in
            guard stopsAfterFailure, !state.isStopped, case .failure? = outcome.current else { return false }
            state.isStopped = true
            return true
        }
        // The task is canceled on another thread, because cancel() waits for the queue that is running this code.
        if isFirst { DispatchQueue.global().async { task.cancel() } }
    }

    /// Performs `work` unless the download is over, and ends the download if `work` fails.
    private func attempt(_ work: () throws(TransportError) -> Void) {
        guard outcome.current == nil else { return }
        do throws(TransportError) { try work() } catch { outcome.settle(.failure(error)) }
    }
}
