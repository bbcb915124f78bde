package import Foundation
package import QuakeHTTP

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One GET with URLSession; the caller waits.
///
/// Seen with FoundationNetworking 6.3: canceling `data(for:)` near its end hangs forever,
/// `timeoutIntervalForResource` is ignored, `cancel()` does not stop a fast body and crashes when it meets a redirect.
/// So a plain data task has a delegate that passes every piece on at once, and the deadline and the body limit are
/// checked here. What comes after a failure is ignored: a failed download continues for a while, or until the program
/// ends (see ``run(into:monitor:)``). A slow sink slows the server down (``InlineOperationQueue``). On Linux URLSession
/// keeps one processor busy while it waits for a server, unless the program links the target CQuakesFetch.
package struct URLSessionDownload: Sendable {
    package static let redirectLimit = 10

    /// In how many pieces a body may come.
    ///
    /// A server may send one byte in each chunk, and URLSession keeps 350 bytes for every piece until the answer ends,
    /// a gigabyte in half a minute. This limit takes 35 MB. A body that comes packet by packet, 1,400 bytes each, may
    /// have 140 MB; the largest feed has 10.
    package static let pieceLimit = 100_000

    private let request: HTTPRequest

    package init(_ request: HTTPRequest) { self.request = request }

    /// Downloads into `sink` and returns when the whole body has been written to it.
    ///
    /// Without a monitor the program is to end after a failure. With one, a download that failed is stopped at its next
    /// byte, but not before the head of its last answer: `cancel()` crashes when it meets a redirect. URLSession itself
    /// ends one that stays silent for a deadline.
    package func run(into sink: some DownloadSink, monitor: TransferMonitor? = nil) throws(TransportError) {
        guard let url = URL(string: request.url)?.lowercasingScheme, url.hasHTTPScheme, let host = url.host(),
            !host.isEmpty
        else {
            throw .unsupportedURL(request.url)
        }
        // FoundationNetworking compares `::1` with libcurl's `[::1]` and takes both for different hosts.
        guard !host.contains(":") else {
            throw TransportError(
                .unusableAddress, "Cannot connect to [\(host)]: IPv6 addresses are not supported in URLs.",
                remedy: "Use a host name, such as one from /etc/hosts.")
        }
        var urlRequest = URLRequest(url: url)
        for (name, value) in request.headers { urlRequest.setValue(value, forHTTPHeaderField: name) }
        urlRequest.timeoutInterval = request.deadlineSeconds

        let delegate = DownloadDelegate(request: request, sink: sink, stopsAfterFailure: monitor != nil)
        let queue = InlineOperationQueue()
        let session = URLSession(configuration: Self.configuration, delegate: delegate, delegateQueue: queue)
        defer { session.finishTasksAndInvalidate() }
        session.dataTask(with: urlRequest).resume()
        try (monitor ?? TransferMonitor()).stopping(with: delegate.interrupt) { () throws(TransportError) in
            try delegate.waitForEnd()
        }
        try sink.end()
    }

    /// No cache, no cookies, no credentials.
    private static var configuration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        return configuration
    }
}

/// Receives a download, piece by piece. The calls come one after the other, from any thread.
package protocol DownloadSink: Sendable {
    /// Receives what the server sent before the body; once, and before any piece.
    func begin(_ head: HTTPResponseHead) throws(TransportError)
    /// Receives the next decoded piece of the body.
    func write(_ piece: Data) throws(TransportError)
    /// The body is complete; not called after a failure.
    func end() throws(TransportError)
}
