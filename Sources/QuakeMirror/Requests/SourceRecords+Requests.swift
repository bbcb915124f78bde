// The cache's records, outside the history, of successes, failures, and pauses demanded by servers.

extension SourceRecords {
    /// Returns the record of the source called `name`; an empty record if the source was never requested.
    func record(of name: String) throws -> FeedRecord { try feed(named: name) ?? FeedRecord(name: name) }

    /// Returns the pause demanded by the source called `name`, as an error from `address`; nil if there is none.
    func pause(of name: String, at address: String, now: Timestamp) throws -> FeedError? {
        try record(of: name).pause(at: now).map { FeedError($0, of: address) }
    }

    /// Returns the pause demanded by the host of `url` in response to any feed request; nil if there is none.
    func pause(ofHostAt url: String, now: Timestamp) throws -> FeedError? {
        let host = TransportRequest.host(of: url)
        return try feeds().filter { $0.url.map(TransportRequest.host) == host }
            .compactMap { $0.pause(at: now) }.max { $0.end < $1.end }.map { FeedError($0, of: url) }
    }

    /// Records the pause demanded by the source called `name`, if `error` contains one.
    ///
    /// - Parameter url: the URL of a feed, whose pause applies to the whole host; nil for the event service.
    func recordPause(_ error: FeedError, of name: String, url: String? = nil) throws {
        guard let pause = error.pause else { return }
        try updateFeed(name) { record in
            if let url, record.url != url { record.keep(CacheValidators(), url: url) }
            record.pause = pause
        }
    }

    /// Records that the source called `name` failed. The record lasts until the source succeeds.
    func recordFailure(_ error: FeedError, of name: String, at now: Timestamp) throws {
        // An unusable URL is not a source that could be requested again.
        if case .transport(let error) = error, error.kind == .unusableAddress { return }
        try updateFeed(name) { record in
            record.error = error.words
            record.errorTime = now
        }
    }

    /// Records that the source called `name` responded without a document.
    ///
    /// - Parameters:
    ///   - validators: the validators of the document at `url`.
    ///   - asked: the validators of the request, if the response was "not modified". If the cache now has different
    ///     validators, the response is ignored, because a restore may have removed the unmodified document.
    func recordSuccess(
        of name: String, _ validators: CacheValidators, url: String, asked: CacheValidators? = nil, at now: Timestamp
    ) throws {
        try updateFeed(name) { record in
            guard asked == nil || asked == record.validators(for: url) else { return }
            record.keep(validators, url: url)
            record.succeed(at: now)
        }
    }

    /// Clears the pause of the service called `name`, which responded, and the failures of all event services.
    func recordServiceResponse(of name: String) throws {
        for record in try feeds() where record.isService {
            let ownPauseEnds = record.name == name && record.pause != nil
            guard record.error != nil || ownPauseEnds else { continue }
            try updateFeed(record.name) { record in
                record.clearFailure()
                if ownPauseEnds { record.pause = nil }
            }
        }
    }

    /// Records that all changes were requested from the event service called `name`, regardless of the outcome.
    func recordUpdate(of name: String, at now: Timestamp) throws { try updateFeed(name) { $0.checked = now } }

    /// Records that the event service reported its deletions up to `moment`, by its own clock. `moment` is nil if no
    /// report was needed.
    func recordDeletions(in name: String, until moment: Timestamp?, at now: Timestamp) throws {
        try updateFeed(name) { record in
            record.checked = now
            record.sourceTime = [record.sourceTime, moment].compactMap(\.self).max()
            record.clearFailure()
        }
    }
}

extension FeedRecord {
    /// Returns the pause in force at `now`; nil if there is none. A pause longer than the maximum is ignored, because
    /// the clock must have been set back after the pause was recorded.
    package func pause(at now: Timestamp) -> Pause? {
        pause.flatMap { $0.end > now && $0.end - now <= RetryPolicy.longestWait ? $0 : nil }
    }

    /// Returns the validators of the newest snapshot if it came from `url`; otherwise nil, because another server's
    /// ETag proves nothing.
    func validators(for url: String) -> CacheValidators? {
        self.url == url ? CacheValidators(etag: etag, lastModified: lastModified) : nil
    }

    /// Keeps the URL of the last request, and the validators for the next one.
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

extension FeedError {
    /// Creates an error from the recorded pause and status of the server at `address`.
    fileprivate init(_ pause: FeedRecord.Pause, of address: String) {
        self = .tryLater(pause.end, status: pause.status, host: TransportRequest.host(of: address))
    }

    /// The pause that the server demands; nil for any other error.
    fileprivate var pause: FeedRecord.Pause? {
        guard case .tryLater(let end, let status, _) = self else { return nil }
        return FeedRecord.Pause(end: end, status: status)
    }
}
