/// A refresh without a named source, on the current thread: it reads the feed that is due, and then sends the daily
/// requests that are due. Swift programs and the command line both refresh this way (decision 0068).
package struct ScheduledRefresh {
    /// The daily requests, in the order in which they are sent.
    private static let dailyRequests: [any DailyRequest] = [CatalogUpdate(), DeletionListRequest()]

    private let mirror: FeedMirror
    private let observer: MirrorObserver

    package init(_ mirror: FeedMirror, observer: MirrorObserver) {
        self.mirror = mirror
        self.observer = observer
    }

    /// Runs the refresh and reports each step to the observer. Canceling the refresh after the feed has been applied
    /// only skips the daily requests. A dry run sends none.
    ///
    /// - Returns: the report on the feed that was read.
    /// - Throws: if no feed could be read, the ``FeedError`` of the feed that was due; ``/QuakeStore/StoreError`` if
    ///   the cache fails; and `CancellationError`. In each case, the quakes are unchanged.
    package func run(dryRun: Bool) throws -> RefreshReport {
        var report = try mirror.session(dryRun: dryRun, observer: observer) { session in try readFeed(in: session) }
        if !dryRun { sendDailyRequests(&report) }
        return report
    }

    /// Reads the feed that is due. If the server cannot serve it, reads the next smaller feed instead.
    private func readFeed(in session: MirrorSession) throws -> RefreshReport {
        var feed = try session.dueFeed()
        var firstFailure: FeedError?
        while true {
            observer.report(.reading(feed))
            do {
                let report = try session.refresh(.summary(feed))
                observer.report(.read(report))
                return report
            } catch let error as FeedError {
                observer.report(.failed(feed, error))
                let failure = firstFailure ?? error
                guard error.isOfThisRequestAlone, let next = RefreshSchedule.fallback(after: feed) else {
                    throw failure
                }
                firstFailure = failure
                feed = next
            }
        }
    }

    /// Sends the daily requests that are due. The feed has already been applied, so failures are only reported to the
    /// observer.
    private func sendDailyRequests(_ report: inout RefreshReport) {
        guard let service = mirror.service else { return }
        let name = EventService.feedRecordName(of: service)
        for request in Self.dailyRequests {
            do {
                guard let answer = try send(request, feedRecordName: name) else { continue }
                report.add(answer)
                observer.report(.dailyRequest(answer))
            } catch let error as FeedError {
                observer.report(.dailyRequestFailed(.service(error)))
            } catch let error as StoreError {
                recordFailure(error, name)
                observer.report(.dailyRequestFailed(.cache(error)))
            } catch {
                // Canceled.
                return
            }
        }
    }

    /// Sends `request` if it is due. A failure of an earlier request postpones it. Returns nil if nothing was sent.
    private func send(_ request: any DailyRequest, feedRecordName: String) throws -> DailyReport? {
        let context = try QuakeContext(mirror.cache, access: .reading)
        let record = try context.sources.feed(named: feedRecordName)
        let now = mirror.cache.configuration.now()
        guard RefreshSchedule.mayAsk(record, now: now) else { return nil }
        guard try request.isDue(by: mirror, in: context, now: now) else { return nil }
        var mirror = mirror
        // In strict mode, one bad feature would make the request fail every day.
        mirror.settings.isStrict = false
        return try request.send(by: mirror, observer)
    }

    /// Records `error` as a failure of the event service, so that `quakes status` shows that nothing is being updated.
    /// The cause may be a lock file that this user cannot open.
    private func recordFailure(_ error: StoreError, _ feedRecordName: String) {
        let now = mirror.cache.configuration.now()
        try? QuakeContext(mirror.cache).sources.updateFeed(feedRecordName) { record in
            record.error = error.words
            record.errorTime = now
        }
    }
}
