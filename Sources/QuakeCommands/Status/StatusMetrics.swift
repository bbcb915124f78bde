import QuakeStore

extension StatusReport {
    /// Writes the report as metrics. Documentation/output.md describes each.
    func write(_ metrics: MetricsWriter) {
        writeCache(metrics)
        writeFeeds(metrics)
        writeConsumers(metrics)
        metrics.gauge("quakes_status_timestamp_seconds", "When these metrics were written.", [.init(now)])
    }

    private func writeCache(_ metrics: MetricsWriter) {
        metrics.gauge(
            "quakes_build_info", "The version of the program that wrote these metrics.",
            [.init(1, ("version", Program.version))])
        metrics.gauge(
            "quakes_cache_info", "The id of the cache and the version of its schema.",
            [.init(1, ("store", statistics.storeID), ("schema", String(statistics.schemaVersion)))])
        metrics.gauge("quakes_cache_quakes", "Quakes in the cache.", [.init(statistics.quakes)])
        metrics.gauge("quakes_cache_bytes", "Size of the file.", [.init(statistics.fileBytes)])
        metrics.gauge("quakes_cache_log_bytes", "Size of the write-ahead log.", [.init(statistics.logBytes)])
        metrics.gauge(
            "quakes_cache_last_success_timestamp_seconds", "When any feed was last read successfully.",
            lastSuccess.map { [.init($0)] } ?? [])
        metrics.gauge(
            "quakes_cache_problems", "Problems of the cache, by code.",
            StatusProblem.Code.allCases.map { code in .init(problems.count { $0.code == code }, ("code", code.rawValue))
            })
        metrics.gauge("quakes_cache_gaps", "Time ranges not covered by a complete snapshot.", [.init(gaps.count)])
        metrics.gauge(
            "quakes_cache_doubts", "Unconfirmed changes.",
            Doubt.Kind.allCases.map { kind in .init(doubts.count { $0.doubt.kind == kind }, ("news", kind.rawValue)) })
        metrics.gauge(
            "quakes_history_transactions", "Transactions in the history that is kept.", [.init(statistics.transactions)]
        )
        metrics.gauge("quakes_history_changes", "Changes in the history that is kept.", [.init(statistics.changes)])
        metrics.counter(
            "quakes_transactions_total", "Transactions ever committed: the number of the newest.",
            [.init(head.number.rawValue)])
    }

    private func writeFeeds(_ metrics: MetricsWriter) {
        let sources = feeds.filter { !$0.source.isService }
        func samples(_ sample: (FeedRecord, (name: String, value: String)) -> MetricsWriter.Sample?)
            -> [MetricsWriter.Sample]
        {
            sources.compactMap { sample($0, ("feed", $0.name)) }
        }
        metrics.gauge(
            "quakes_feed_last_success_timestamp_seconds", "When the feed was last read successfully.",
            samples { feed, label in feed.lastSuccess.map { .init($0, label) } })
        metrics.gauge(
            "quakes_feed_seconds_since_success",
            "Time from the last success to quakes_status_timestamp_seconds; it does not grow between two readings.",
            samples { feed, label in feed.lastSuccess.map { .init(now - $0, label) } })
        metrics.gauge(
            "quakes_feed_failing", "1 if the last attempt to read the feed failed.",
            samples { feed, label in .init(feed.error == nil ? 0 : 1, label) })
        metrics.gauge(
            "quakes_feed_last_failure_timestamp_seconds", "When the feed failed; no sample if it is not failing.",
            samples { feed, label in feed.errorTime.map { .init($0, label) } })
        metrics.gauge(
            "quakes_feed_quakes", "Quakes in the newest snapshot of the feed.",
            samples { feed, label in feed.featureCount.map { .init($0, label) } })
        metrics.gauge(
            "quakes_service_failing", "1 if the last request to the event service failed.",
            [.init(feeds.contains { $0.source.isService && $0.error != nil } ? 1 : 0)])
    }

    private func writeConsumers(_ metrics: MetricsWriter) {
        metrics.gauge(
            "quakes_consumer_unread_transactions", "Transactions the consumer has not read.",
            consumers.compactMap { standing in
                standing.unreadTransactions.map { .init($0, ("consumer", standing.consumer.name)) }
            })
        metrics.gauge(
            "quakes_consumer_unread_changes", "Changes the consumer has not read.",
            consumers.compactMap { standing in
                standing.unreadChanges.map { .init($0, ("consumer", standing.consumer.name)) }
            })
        metrics.gauge(
            "quakes_consumer_token_valid", "1 if the consumer can resume from its token.",
            consumers.map { .init($0.fault == nil ? 1 : 0, ("consumer", $0.consumer.name)) })
        metrics.gauge(
            "quakes_consumer_last_read_timestamp_seconds", "When the consumer last read.",
            consumers.map { .init($0.consumer.seen, ("consumer", $0.consumer.name)) })
    }
}
