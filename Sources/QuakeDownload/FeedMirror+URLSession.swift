extension FeedMirror {
    /// Creates a mirror of the USGS feeds in `cache` that downloads in this process: see ``URLSessionTransport`` for
    /// the drawbacks on Linux.
    ///
    /// ```swift
    /// let mirror = FeedMirror(QuakeCache(path: "quakes.db"))
    /// let report = try await mirror.refresh(.allDay)
    /// ```
    public init(_ cache: QuakeCache) { self.init(cache, transport: URLSessionTransport()) }
}
