/// What the cache remembers, outside the history, of successes, failures, and the pauses that servers asked for.
struct SourceLog {
    let context: QuakeContext
    let now: @Sendable () -> Timestamp

    /// What is known about the source called `name`.
    func record(of name: String) throws -> FeedRecord {
        try context.sources.feed(named: name) ?? FeedRecord(name: name)
    }

    /// The pause that the source called `name` asked for, as its answer at `address`; nil when there is none.
    func pause(of name: String, at address: String) throws -> FeedError? {
        try record(of: name).pause(at: now()).map { FeedError($0, of: address) }
    }

    /// The pause that the host of `url` asked for, in whichever feed's answer; nil when there is none.
    func pause(ofHostAt url: String) throws -> FeedError? {
        let host = HTTPRequest.host(of: url)
        let now = now()
        return try context.sources.feeds().filter { $0.url.map(HTTPRequest.host) == host }
            .compactMap { $0.pause(at: now) }.max { $0.end < $1.end }.map { FeedError($0, of: url) }
    }

    /// Remembers that the source called `name` asked for a pause, if `error` is one.
    ///
    /// - Parameter url: the address of a feed: its pause holds for the whole host.
    func notePause(_ error: FeedError, of name: String, url: String? = nil) throws {
        guard let pause = error.pause else { return }
        try context.sources.note(name) { record in
            if let url, record.url != url { record.keep(CacheValidators(), url: url) }
            record.pause = pause
        }
    }

    /// Remembers that the source called `name` failed, until it succeeds.
    func noteFailure(_ error: FeedError, of name: String) throws {
        // What is no address is no source that could be asked again.
        if case .transport(let error) = error, error.kind == .unusableAddress { return }
        try context.sources.note(name) { ($0.error, $0.errorTime) = (error.words, now()) }
    }

    /// Remembers that the source called `name` answered, with a document or without one.
    ///
    /// - Parameters:
    ///   - validators: what recognizes the document at `url`; nil to keep what recognized the last one.
    ///   - asked: for the answer that nothing is newer than this document. It says nothing of a cache that has another
    ///     one by now: a restore may have taken this one away.
    func noteSuccess(
        of name: String, _ validators: CacheValidators?, url: String, asked: CacheValidators? = nil
    ) throws {
        try context.sources.note(name) { record in
            guard asked == nil || asked == record.validators(for: url) else { return }
            if let validators { record.keep(validators, url: url) }
            (record.checked, record.pause, record.error, record.errorTime) = (now(), nil, nil, nil)
        }
    }

    /// Clears what was noted about the event service called `name`, even under other addresses: it answers.
    func noteServiceAnswered(_ name: String) throws {
        for record in try context.sources.feeds() where record.isService {
            if record.error != nil || record.name == name && record.pause != nil {
                try context.sources.save(FeedRecord(name: record.name))
            }
        }
    }

    /// Remembers that the event service called `name` was asked for all changes, whatever came of it.
    func noteUpdate(of name: String) throws {
        try context.sources.note(name) { $0.checked = now() }
    }

    func forgetIdleSources() throws {
        for name in IdleSources.names(among: try context.sources.feeds(), now: now()) {
            _ = try context.sources.forgetFeed(named: name)
        }
    }
}

extension FeedRecord {
    /// The pause that is in force at `now`. One that is longer than any that is kept was noted by a clock that was set
    /// back since.
    package func pause(at now: Timestamp) -> Pause? {
        pause.flatMap { $0.end > now && $0.end - now <= RetryPolicy().longestWait ? $0 : nil }
    }

    /// What recognizes the newest snapshot, when it came from `url`: another server's ETag says nothing.
    func validators(for url: String) -> CacheValidators? {
        self.url == url ? CacheValidators(etag: etag, lastModified: lastModified) : nil
    }

    fileprivate mutating func keep(_ validators: CacheValidators, url: String) {
        (etag, lastModified, self.url) = (validators.etag, validators.lastModified, url)
    }
}

extension FeedError {
    /// The pause that the server at `address` asked for earlier, with the status of that answer.
    fileprivate init(_ pause: FeedRecord.Pause, of address: String) {
        self = .tryLater(pause.end, status: pause.status, host: HTTPRequest.host(of: address))
    }

    /// The pause that the server asks for; nil for any other error.
    fileprivate var pause: FeedRecord.Pause? {
        guard case .tryLater(let end, let status, _) = self else { return nil }
        return FeedRecord.Pause(end: end, status: status)
    }
}

/// The sources that the cache forgets: addresses and files that were not asked for 90 days, and those beyond the 500
/// that were asked last. A program that asks a new address every hour leaves a row for each. Quakes, history, claims
/// and pauses stay; an older snapshot of a forgotten source counts as new.
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
