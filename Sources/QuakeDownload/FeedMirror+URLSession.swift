// For a program that mirrors and reads a cache, `import QuakeDownload` is enough.
@_exported public import QuakeMirror

extension FeedMirror {
    /// Creates a mirror of the USGS feeds in `cache` that downloads with ``URLSessionTransport``, which has drawbacks
    /// on Linux.
    ///
    /// ```swift
    /// let mirror = FeedMirror(QuakeCache(path: "quakes.db"))
    /// let report = try await mirror.refresh(.allDay)
    /// ```
    public init(_ cache: QuakeCache) { self.init(cache, transport: URLSessionTransport()) }
}
