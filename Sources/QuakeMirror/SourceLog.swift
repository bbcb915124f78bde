/// The cache's records, outside the history, of successes, failures, and pauses demanded by servers.
struct SourceLog {
    let context: QuakeContext
    let now: @Sendable () -> Timestamp

    /// Returns the record of the source called `name`.
    func record(of name: String) throws -> FeedRecord {
        try context.sources.feed(named: name) ?? FeedRecord(name: name)
    }

    /// Returns the pause demanded by the source called `name`, as an error from `address`; nil if there is none.
    func pause(of name: String, at address: String) throws -> FeedError? {
        try record(of: name).pause(at: now()).map { FeedError($0, of: address) }
    }

    /// Returns the pause demanded by the host of `url` in response to any feed request; nil if there is none.
    func pause(ofHostAt url: String) throws -> FeedError? {
        let host = TransportRequest.host(of: url)
        let now = now()
        return try context.sources.feeds().filter { $0.url.map(TransportRequest.host) == host }
            .compactMap { $0.pause(at: now) }.max { $0.end < $1.end }.map { FeedError($0, of: url) }
    }

    /// Records the pause demanded by the source called `name`, if `error` contains one.
    ///
    /// - Parameter url: the address of a feed, whose pause applies to the whole host.
    func notePause(_ error: FeedError, of name: String, url: String? = nil) throws {
        guard let pause = error.pause else { return }
        try context.sources.updateFeed(name) { record in
            if let url, record.url != url { record.keep(CacheValidators(), url: url) }
            record.pause = pause
        }
    }

    /// Records that the source called `name` failed. The record lasts until the source succeeds.
    func noteFailure(_ error: FeedError, of name: String) throws {
        // An unusable address is not a source that could be requested again.
        if case .transport(let error) = error, error.kind == .unusableAddress { return }
        try context.sources.updateFeed(name) { ($0.error, $0.errorTime) = (error.words, now()) }
    }

    /// Records that the source called `name` responded, with or without a document.
    ///
    /// - Parameters:
    ///   - validators: the validators of the document at `url`; nil to keep the previous ones.
    ///   - asked: the validators of the request, if the response was "not modified". If the cache now has different
    ///     validators, the response is ignored, because a restore may have removed that document.
    func noteSuccess(
        of name: String, _ validators: CacheValidators?, url: String, asked: CacheValidators? = nil
    ) throws {
        try context.sources.updateFeed(name) { record in
            guard asked == nil || asked == record.validators(for: url) else { return }
            if let validators { record.keep(validators, url: url) }
            record.checked = now()
            record.pause = nil
            record.error = nil
            record.errorTime = nil
        }
    }

    /// Clears the failures of all event services and the pause of the service called `name`, which responded.
    func noteServiceAnswered(_ name: String) throws {
        for record in try context.sources.feeds() where record.isService {
            if record.error != nil || record.name == name && record.pause != nil {
                try context.sources.updateFeed(record.name) { record in
                    record.error = nil
                    record.errorTime = nil
                    record.pause = nil
                }
            }
        }
    }

    /// Records that all changes were requested from the event service called `name`, regardless of the outcome.
    func noteUpdate(of name: String) throws { try context.sources.updateFeed(name) { $0.checked = now() } }

    /// Records that the event service reported its deletions up to `moment`, by its own clock; nil if it need not.
    func noteDeletions(in name: String, until moment: Timestamp?) throws {
        try context.sources.updateFeed(name) { record in
            record.checked = now()
            record.sourceTime = [record.sourceTime, moment].compactMap(\.self).max()
            record.error = nil
            record.errorTime = nil
        }
    }

    func forgetIdleSources() throws {
        for name in IdleSources.names(among: try context.sources.feeds(), now: now()) {
            _ = try context.forgetFeed(named: name)
        }
    }
}

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

    fileprivate mutating func keep(_ validators: CacheValidators, url: String) {
        etag = validators.etag
        lastModified = validators.lastModified
        self.url = url
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

/// The sources that the cache forgets: addresses and files not requested for 90 days, and those beyond the 500 most
/// recently requested. A program that requests a new address every hour leaves a row for each. Quakes, history,
/// coverage and pauses are kept. An older snapshot of a forgotten source counts as new.
enum IdleSources {
    static let patience = Duration.seconds(90 * 86_400)
    static let most = 500

    static func names(among feeds: [FeedRecord], now: Timestamp) -> [String] {
        let sources = feeds.filter { feed in
            !feed.isService && FeedName(feed.name) == nil && feed.pause(at: now) == nil
        }
        let lastFirst = sources.sorted { ($0.lastAsked?.milliseconds ?? .min) > ($1.lastAsked?.milliseconds ?? .min) }
        return lastFirst.enumerated().filter { index, feed in
            index >= most || feed.lastAsked.map { now - $0 > patience } ?? true
        }.map(\.element.name)
    }
}
