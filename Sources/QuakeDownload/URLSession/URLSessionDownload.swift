import Foundation
package import QuakeHTTP

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One GET with URLSession, blocking the caller.
///
/// With FoundationNetworking 6.3, canceling `data(for:)` near its end hangs forever, `timeoutIntervalForResource` is
/// ignored, and `cancel()` does not stop a body that arrives quickly, and crashes during a redirect. So this type uses
/// a plain data task whose delegate passes on every piece immediately, and enforces the deadline and the body limit
/// itself. After a failure, a download continues for a while, or until the program ends, but its data is ignored (see
/// ``run(into:monitor:)``). A slow sink slows the server down (``InlineOperationQueue``). On Linux, URLSession keeps
/// one processor busy while it waits for a server, unless the program links the target CQuakesFetch.
package struct URLSessionDownload: Sendable {
    package static let redirectLimit = 10

    /// The maximum number of pieces in a body.
    ///
    /// A server may send one byte per chunk, and URLSession keeps 350 bytes for each piece until the response ends: a
    /// gigabyte in half a minute. At this limit the pieces take 35 MB. A body that arrives in packets of 1,400 bytes
    /// may still be 140 MB long; the largest feed is 10 MB.
    package static let pieceLimit = 100_000

    private let request: TransportRequest

    package init(_ request: TransportRequest) { self.request = request }

    /// Downloads into `sink` and returns when the complete body has been written to it.
    ///
    /// Without a monitor, the program should end after a failure. With a monitor, a failed download is stopped at its
    /// next byte, but not before the head of its final response, because `cancel()` crashes on a redirect. URLSession
    /// itself ends a download that stays silent for the length of the deadline.
    package func run(into sink: some DownloadSink, monitor: TransferMonitor? = nil) throws(TransportError) {
        guard let url = URL(string: request.url)?.lowercasingScheme, url.hasHTTPScheme, let host = url.host(),
            !host.isEmpty
        else {
            throw .unsupportedURL(request.url)
        }
        // FoundationNetworking and libcurl would treat an IPv6 host as two hosts, `::1` and `[::1]`.
        guard !host.contains(":") else {
            throw TransportError(
                .unusableAddress, "Cannot connect to [\(host)]: IPv6 addresses are not supported in URLs.",
                remedy: "Use a host name, such as one from /etc/hosts.")
        }
        var urlRequest = URLRequest(url: url)
        for (name, value) in request.headers { urlRequest.setValue(value, forHTTPHeaderField: name) }
        // libcurl would also ask for brotli and zstd, whose decoders take up to 128 MB each.
        urlRequest.setValue("gzip", forHTTPHeaderField: "Accept-Encoding")
        urlRequest.timeoutInterval = request.deadlineSeconds

        let delegate = DownloadDelegate(request: request, sink: sink, stopsAfterFailure: monitor != nil)
        let queue = InlineOperationQueue()
        let session = URLSession(configuration: Self.configuration, delegate: delegate, delegateQueue: queue)
        defer { session.finishTasksAndInvalidate() }
        session.dataTask(with: urlRequest).resume()
        let outcome = delegate.outcome
        try (monitor ?? TransferMonitor()).stopping(with: { outcome.settle(.failure(.interrupted)) }) {
            () throws(TransportError) in
            try outcome.wait(for: request)
        }
        try sink.end()
    }

    /// A configuration without cache, cookies or credentials.
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
