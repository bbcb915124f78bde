import QuakeStore

extension StatusReport {
    /// The facts in `quakes status`. Documentation/output.md describes the members and metrics in this order.
    var facts: [StatusFact] {
        let present = [size, freshness, sources, unconfirmed, readers, missing, coverage, inQuestion, problemsFact]
        let written = Metric("quakes_status_timestamp_seconds", "When these metrics were written.", now)
        return state + (isPast ? present.map(\.unknown) : present) + [StatusFact("", nil, [:], [written])]
    }

    private var state: [StatusFact] {
        let store = statistics.storeID
        let schema = statistics.schemaVersion
        let quakes = statistics.quakes
        let transactions = statistics.transactions
        let changes = statistics.changes
        let span = [statistics.earliest, statistics.latest].compactMap { $0?.momentWords }.joined(separator: " to ")
        let purged =
            "purged through transaction \(floor.number)\(floor.time.map { ", recorded \($0.momentWords)" } ?? "")"
        return [
            StatusFact(
                "cache", path, ["path": path, "store": store, "created": statistics.created, "schema": schema],
                [
                    Metric("quakes_build_info", "The version of the program.", 1, ("version", Program.version)),
                    Metric(
                        "quakes_cache_info", "The id of the cache and the version of its schema.", 1,
                        ("store", store), ("schema", "\(schema)")),
                ]),
            StatusFact(
                "quakes", quakes.grouped + (span.isEmpty ? "" : ", \(span)"),
                ["quakes": quakes, "earliest": statistics.earliest, "latest": statistics.latest],
                [Metric("quakes_cache_quakes", "Quakes in the cache.", quakes)]),
            StatusFact(
                "history",
                "\(transactions.counted("transaction")), \(changes.counted("change"))"
                    + (floor.number == .zero ? "" : "; \(purged)"),
                ["transactions": transactions, "changes": changes],
                [
                    Metric("quakes_history_transactions", "Transactions in the retained history.", transactions),
                    Metric("quakes_history_changes", "Changes in the retained history.", changes),
                ]),
            StatusFact(
                "token", head.description,
                ["token": head.description, "newest_transaction": head.number, "purged_through": floor.number],
                [Metric("quakes_transactions_total", "Transactions ever recorded.", head.number.rawValue)]),
            StatusFact(
                "as of",
                isPast
                    ? last.map { "transaction \($0.number), recorded \($0.time.momentWords), \($0.publishedWords)" }
                    : nil,
                ["time": last?.time]),
        ]
    }

    private var size: StatusFact {
        let file = statistics.fileBytes
        let log = statistics.logBytes
        return StatusFact(
            "size", file.byteWords + (log > 0 ? ", write-ahead log \(log.byteWords)" : ""),
            ["bytes": file, "log_bytes": log],
            [
                Metric("quakes_cache_bytes", "Size of the cache file.", file),
                Metric("quakes_cache_log_bytes", "Size of the write-ahead log.", log),
            ])
    }

    private var freshness: StatusFact {
        let data = dataEnds.map { "; data through \($0.minuteWords) UTC (\($0.age(at: now)))" }
        return StatusFact(
            "refreshed", (lastSuccess?.age(at: now) ?? (dataEnds == nil ? "never" : "unknown")) + (data ?? ""),
            ["refreshed": lastSuccess, "data_ends": dataEnds],
            [
                Metric(
                    "quakes_cache_last_success_timestamp_seconds", "When any feed was last read successfully.",
                    lastSuccess),
                Metric("quakes_cache_data_ends_timestamp_seconds", "When the data ends.", dataEnds),
            ])
    }

    /// The sources, most recently requested first.
    private var sources: StatusFact {
        let sources = feeds.filter { !$0.isService }
        let sorted = sources.sorted { ($0.lastAsked?.milliseconds ?? .min) > ($1.lastAsked?.milliseconds ?? .min) }
        func metric(_ name: String, _ help: String, _ value: (FeedRecord) -> (any Metric.Value)?) -> Metric {
            Metric("quakes_feed_\(name)", help, by: "feed", sources.map { ($0.name, value($0)) })
        }
        let records = sources.map { feed -> Record in
            [
                "name": feed.name, "url": feed.url, "published": feed.generated, "features": feed.featureCount,
                "checked": feed.checked, "applied": feed.applied, "not_before": feed.pause?.end, "error": feed.error,
                "error_time": feed.errorTime,
            ]
        }
        let services = feeds.filter(\.isService)
        let serviceNames = services.map { $0.name.replacing(SourceName.deletionsSuffix, with: "") }
        let serviceRecords = Set(serviceNames).sorted().map(record)
        let serviceFails = services.contains { $0.error != nil }
        return StatusFact(
            "feed", sorted.map { (words(of: $0), nil) }, ["feeds": records, "services": serviceRecords],
            [
                metric("last_success_timestamp_seconds", "When the feed was last read.") { $0.lastSuccess },
                metric("failing", "1 if the last attempt to read the feed failed.") { $0.error != nil },
                metric("last_failure_timestamp_seconds", "When reading the feed last failed.") { $0.errorTime },
                metric("quakes", "Quakes in the newest copy of the feed.") { $0.featureCount },
                Metric("quakes_service_failing", "1 if the last request to the event service failed.", serviceFails),
            ])
    }

    /// Returns the record of the event service `name`, which may have been queried only for deletions.
    private func record(ofService name: String) -> Record {
        let service = feeds.first { $0.name == name } ?? FeedRecord(name: name)
        let deletions = feeds.first { $0.name == name + SourceName.deletionsSuffix }
        return [
            "url": String(service.name.dropFirst(SourceName.servicePrefix.count)), "checked": service.checked,
            "deletions_checked": deletions?.checked, "not_before": service.pause?.end,
            "error": service.error ?? deletions?.error, "error_time": service.errorTime ?? deletions?.errorTime,
        ]
    }

    private func words(of feed: FeedRecord) -> String {
        let parts = [
            feed.featureCount.map { ", \($0.counted("quake"))" },
            feed.generated.map { ", as of \($0.momentWords)" },
            feed.checked.map { ", last checked \($0.age(at: now))" },
            feed.pause.map { "; paused by the server until \($0.end.momentWords)" },
            feed.error.map { "; failed\(ago(feed.errorTime)): \($0)" },
        ]
        return feed.name + parts.compactMap(\.self).joined()
    }

    /// The unconfirmed changes, latest first.
    private var unconfirmed: StatusFact {
        let counts = UnconfirmedChange.Kind.allCases.map { kind in
            (kind, unconfirmedChanges.count { $0.change.kind == kind })
        }
        let kinds = counts.filter { $0.1 > 0 }.map { "\($0.0.words): \($0.1.grouped)" }.joined(separator: ", ")
        let quakes = Set(unconfirmedChanges.map(\.change.quakeKey)).count.counted("quake")
        let waiting = unconfirmedChanges.count(where: \.change.awaitsService)
        let brief =
            "changes to \(quakes) (\(kinds))"
            + (waiting > 0 ? ", \(waiting.grouped) waiting for the event service" : "")
        let records = unconfirmedChanges.map { change, quake -> Record in
            [
                "quake": change.quakeKey, "id": quake?.id, "kind": change.kind.rawValue, "first": change.first,
                "last": change.last, "snapshots": change.snapshots, "pending_confirmation": change.awaitsService,
                "place": change.place,
            ]
        }
        return StatusFact(
            "unconfirmed", brief: unconfirmedChanges.isEmpty ? nil : brief,
            unconfirmedChanges.sorted { $0.change.last > $1.change.last }.map { change, quake in
                let name = quake.map { "\($0.id), \($0.headline)" } ?? "quake \(change.quakeKey)"
                let words = change.place.map { "called “\($0)” in" } ?? change.kind.wordsBeforeSnapshots
                let copies = "\(change.snapshots.grouped) \(change.snapshots == 1 ? "copy" : "copies")"
                return ("\(name): \(words) \(copies) since \(change.first.momentWords)", nil)
            }, ["unconfirmed": records],
            [
                Metric(
                    "quakes_cache_unconfirmed", "Unconfirmed changes.", by: "kind", counts.map { ($0.0.rawValue, $0.1) }
                )
            ])
    }

    private var readers: StatusFact {
        func metric(_ name: String, _ help: String, _ value: (ConsumerStatus) -> (any Metric.Value)?) -> Metric {
            Metric("quakes_consumer_\(name)", help, by: "consumer", consumers.map { ($0.consumer.name, value($0)) })
        }
        let lines = consumers.map { standing -> StatusFact.Line in
            let place = "has read through transaction \(standing.consumer.number) of \(head.number)"
            let words = standing.fault.map { "its token cannot be used: \($0.words)" } ?? place
            return ("\(standing.consumer.name): \(words)", nil)
        }
        return StatusFact(
            "consumer", lines, ["consumers": consumers.map(\.record)],
            [
                metric("unread_transactions", "Transactions the consumer has not read.") { $0.unreadTransactions },
                metric("unread_changes", "Changes the consumer has not read.") { $0.unreadChanges },
                metric("token_valid", "1 if the consumer can resume from its token.") { $0.fault == nil },
                metric("last_read_timestamp_seconds", "When the consumer last read.") { $0.consumer.lastRead },
            ])
    }

    /// The gaps in the coverage, newest first, each with the command that fills it.
    private var missing: StatusFact {
        let lines = gaps.reversed().map { gap -> StatusFact.Line in
            // The gap ends 30 days ago: the longest feed still covers the time since then.
            let isOpen = gap.upperBound == now - FeedName.Period.month.window
            let end = isOpen ? "now" : "\(gap.upperBound.minuteWords) UTC"
            let rest = isOpen ? ". `quakes refresh` fetches the last 30 days; the command below fetches the rest." : ""
            let start = gap.lowerBound.minuteWords + (isOpen ? " UTC" : "")
            return ("\(start) to \(end): quakes may be missing" + rest, commandToFill(gap))
        }
        let records: [Record] = gaps.map {
            ["since": $0.lowerBound, "until": $0.upperBound, "command": commandToFill($0)]
        }
        return StatusFact(
            "gap", lines, ["gaps": records],
            [Metric("quakes_cache_gaps", "Time ranges in which quakes may be missing.", gaps.count)])
    }

    private var coverage: StatusFact {
        StatusFact(
            "coverage", coveredRanges.words.map { ($0, nil) }, ["coverage": coveredRanges.map(\.record)])
    }

    /// The ids in question: ids whose meaning the event service has yet to confirm. The coverage does not include their
    /// quakes.
    private var inQuestion: StatusFact {
        let quakes = idsInQuestion.count.counted("quake")
        let brief = "\(quakes) for the event service to confirm"
        let unsettled = idsInQuestion.count { $0.unsettledAnswers > 0 }
        let rest = unsettled > 0 ? " (no clear answer so far for \(unsettled.grouped))" : ""
        let records: [Record] = idsInQuestion.map {
            [
                "id": $0.id, "since": $0.originTimes.lowerBound, "until": $0.originTimes.upperBound,
                "reason": $0.reason, "unsettled_answers": $0.unsettledAnswers, "last_answer": $0.lastAnswer,
            ]
        }
        return StatusFact(
            "in question", brief: idsInQuestion.isEmpty ? nil : brief + rest,
            idsInQuestion.map { ("\($0.id): \($0.reason)", nil) },
            ["unresolved_ids": records])
    }

    private var problemsFact: StatusFact {
        let problems = problems
        let records: [Record] = problems.map {
            ["code": $0.code.rawValue, "message": $0.message, "command": $0.command]
        }
        let counts = StatusProblem.Code.allCases.map { code in (code.rawValue, problems.count { $0.code == code }) }
        return StatusFact(
            "problem", problems.map { ($0.message, $0.command) }, ["problems": records],
            [Metric("quakes_cache_problems", "Problems with the cache, by code.", by: "code", counts)])
    }
}

extension UnconfirmedChange.Kind {
    fileprivate var wordsBeforeSnapshots: String { self == .absent ? "missing from" : "\(words) in" }

    fileprivate var words: String {
        switch self {
        case .absent: "no longer in feed"
        case .backward: "older version"
        case .place: "other place name"
        }
    }
}
