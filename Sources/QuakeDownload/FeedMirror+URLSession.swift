extension FeedMirror {
    /// A mirror of USGS's feeds in `cache` that downloads in this process: see ``URLSessionTransport`` for what that
    /// costs on Linux.
    ///
    /// ```swift
    /// let mirror = FeedMirror(QuakeCache(path: "quakes.db"))
    /// let report = try await mirror.refresh(.allDay)
    /// ```
    public init(_ cache: QuakeCache) { self.init(cache, transport: URLSessionTransport()) }
}
