extension FeedRecord {
    /// Returns the pause in force at `now`. A pause longer than the maximum is ignored, because it was recorded by a
    /// clock that has since been set back.
    package func pause(at now: Timestamp) -> Pause? {
        pause.flatMap { $0.end > now && $0.end - now <= RetryPolicy.longestWait ? $0 : nil }
    }

    /// Returns the validators of the newest snapshot if it came from `url`, because another server's ETag proves
    /// nothing.
    func validators(for url: String) -> CacheValidators? {
        self.url == url ? CacheValidators(etag: etag, lastModified: lastModified) : nil
    }

    /// Keeps the address of the last request, and the validators for the next one.
    mutating func keep(_ validators: CacheValidators, url: String) {
        etag = validators.etag
        lastModified = validators.lastModified
        self.url = url
    }

    /// Records that the source responded at `now`, with or without a document.
    mutating func succeed(at now: Timestamp) {
        checked = now
        pause = nil
        clearFailure()
    }

    mutating func clearFailure() {
        error = nil
        errorTime = nil
    }
}
