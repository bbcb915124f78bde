import Dispatch
public import QuakeFeed

#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
#else
    import Foundation
#endif

/// One GET with URLSession, the caller waiting. Made for a program that does nothing else and ends afterwards.
///
/// Hazards, each seen with FoundationNetworking 6.3: cancelling `data(for:)` at its end hangs for ever,
/// `timeoutIntervalForResource` is ignored, `cancel()` does not stop a fast body and ends the process when it meets a
/// redirect. Choice: a plain data task whose delegate hands every piece on at once; the deadline and the limit on the
/// body are kept here, what comes after a failure is ignored, not cancelled, and a slow sink slows the server down
/// (``InlineOperationQueue``). Price: a failed download goes on until the program ends. Not avoided: while it waits
/// for a server, FoundationNetworking keeps one processor busy.
public struct URLSessionDownload: Sendable {
    /// How many redirects are followed.
    public static let redirectLimit = 10

    private let request: HTTPRequest

    /// A download of what `request` asks for.
    public init(_ request: HTTPRequest) {
        self.request = request
    }

    /// Downloads into `sink` and returns when the whole body has been written.
    public func run(into sink: some DownloadSink) throws(TransportError) {
        guard let url = URL(string: request.url), url.hasHTTPScheme, let host = url.host(), !host.isEmpty else {
            throw .unsupportedURL(request.url)
        }
        var urlRequest = URLRequest(url: url)
        for (name, value) in request.headers { urlRequest.setValue(value, forHTTPHeaderField: name) }
        urlRequest.timeoutInterval = request.deadlineSeconds

        let delegate = DownloadDelegate(request: request, sink: sink)
        let queue = InlineOperationQueue()
        let session = URLSession(configuration: Self.configuration, delegate: delegate, delegateQueue: queue)
        session.dataTask(with: urlRequest).resume()
        try delegate.waitForEnd()
        try sink.end()
        session.finishTasksAndInvalidate()
    }

    /// Nothing is kept from one request to the next: no cache, no cookies, no credentials.
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

extension URL {
    /// Whether this is an http or https address.
    var hasHTTPScheme: Bool {
        ["http", "https"].contains(scheme?.lowercased() ?? "")
    }
}
