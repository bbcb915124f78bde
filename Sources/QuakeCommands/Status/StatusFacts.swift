import QuakeModel
import QuakeOutput
import QuakeStore

extension StatusReport {
    /// What `quakes status` tells. Documentation/output.md describes the members and metrics, in this order.
    var facts: [StatusFact] {
        let present = [size, freshness, sources, unconfirmed, readers, missing, coverage, inQuestion, wrong]
        return state + (isPast ? present.map(\.unknown) : present) + [
            StatusFact(
                "", nil, [:], [Metric("quakes_status_timestamp_seconds", "When these metrics were written.", now)])
        ]
    }

    private var state: [StatusFact] {
        let span = [statistics.earliest, statistics.latest].compactMap { $0?.momentWords }.joined(separator: " to ")
        let purged = floor.time.map { " of \($0.momentWords)" } ?? ""
        return [
            StatusFact(
                "cache", path,
                [
                    "path": path, "store": statistics.storeID, "created": statistics.created,
                    "schema": statistics.schemaVersion,
                ],
                [
                    Metric(
                        "quakes_build_info", "The version of the program that wrote these metrics.", 1,
                        ("version", Program.version)),
                    Metric(
                        "quakes_cache_info", "The id of the cache and the version of its schema.", 1,
                        ("store", statistics.storeID), ("schema", "\(statistics.schemaVersion)")),
                ]),
            StatusFact(
                "quakes", statistics.quakes.grouped + (span.isEmpty ? "" : ", \(span)"),
                ["quakes": statistics.quakes, "earliest": statistics.earliest, "latest": statistics.latest],
                [Metric("quakes_cache_quakes", "Quakes in the cache.", statistics.quakes)]),
            StatusFact(
                "history",
                "\(statistics.transactions.counted("transaction")), \(statistics.changes.counted("change"))"
                    + (floor.number == .zero ? "" : ", purged up to transaction \(floor.number)\(purged)"),
                ["transactions": statistics.transactions, "changes": statistics.changes],
                [
                    Metric(
                        "quakes_history_transactions", "Transactions in the history that is kept.",
                        statistics.transactions),
                    Metric("quakes_history_changes", "Changes in the history that is kept.", statistics.changes),
                ]),
            StatusFact(
                "token", head.description,
                ["token": head.description, "head": head.number, "floor": floor.number],
                [
                    Metric(
                        "quakes_transactions_total", "Transactions ever committed: the number of the newest.",
                        head.number.rawValue)
                ]),
            StatusFact(
                "as of",
                isPast ? last.map { "transaction \($0.number), \($0.time.momentWords), \($0.publishedWords)" } : nil,
                ["time": last?.time]),
        ]
    }

    private var size: StatusFact {
        let (file, log) = (statistics.fileBytes, statistics.logBytes)
        return StatusFact(
            "size", file.byteWords + (log > 0 ? ", log \(log.byteWords)" : ""), ["bytes": file, "log_bytes": log],
            [
                Metric("quakes_cache_bytes", "Size of the file.", file),
                Metric("quakes_cache_log_bytes", "Size of the write-ahead log.", log),
            ])
    }

    private var freshness: StatusFact {
        StatusFact(
            "fresh", lastSuccess.map { $0.age(at: now) } ?? "never", ["fresh": lastSuccess],
            [
                Metric(
                    "quakes_cache_last_success_timestamp_seconds", "When any feed was last read successfully.",
                    lastSuccess)
            ])
    }

    /// The sources, those asked last first.
    private var sources: StatusFact {
        let sources = feeds.filter { !$0.source.isService }
        let sorted = sources.sorted { ($0.lastAsked?.milliseconds ?? .min) > ($1.lastAsked?.milliseconds ?? .min) }
        func metric(_ name: String, _ help: String, _ value: (FeedRecord) -> (any MetricValue)?) -> Metric {
            Metric("quakes_feed_\(name)", help, by: "feed", sources.map { ($0.name, value($0)) })
        }
        return StatusFact(
            "feed", sorted.map { ($0.words(now: now), nil) }, ["feeds": feeds.map(\.record)],
            [
                metric("last_success_timestamp_seconds", "When the feed was last read successfully.") {
                    $0.lastSuccess
                },
                metric(
                    "seconds_since_success",
                    "Time from the last success to quakes_status_timestamp_seconds; it does not grow between two readings."
                ) { $0.lastSuccess.map { now - $0 } },
                metric("failing", "1 if the last attempt to read the feed failed.") { $0.error != nil },
                metric("last_failure_timestamp_seconds", "When the feed failed; no sample if it is not failing.") {
                    $0.errorTime
                },
                metric("quakes", "Quakes in the newest snapshot of the feed.") { $0.featureCount },
                Metric(
                    "quakes_service_failing", "1 if the last request to the event service failed.",
                    feeds.contains { $0.source.isService && $0.error != nil }),
            ])
    }

    /// What is in doubt, the latest first.
    private var unconfirmed: StatusFact {
        let counts = Doubt.Kind.allCases.map { kind in (kind, doubts.count { $0.doubt.kind == kind }) }
        let kinds = counts.filter { $0.1 > 0 }.map { kind, count in kind.words(count) }.joined(separator: ", ")
        let quakes = Set(doubts.map(\.doubt.quakeKey)).count.counted("quake")
        let waiting = doubts.count(where: \.doubt.awaitsService)
        let brief = "\(quakes) (\(kinds))" + (waiting > 0 ? ", \(waiting.grouped) waiting for the event service" : "")
        return StatusFact(
            "unconfirmed", brief: doubts.isEmpty ? nil : brief,
            doubts.sorted { $0.doubt.last > $1.doubt.last }.map { doubt, quake in
                let name = quake.map { "\($0.id), \($0.headline)" } ?? "quake \(doubt.quakeKey)"
                let snapshots = doubt.sightings.counted("snapshot")
                return ("\(name): \(doubt.words), \(snapshots) since \(doubt.first.momentWords)", nil)
            },
            ["doubts": doubts.map { $0.doubt.record(id: $0.quake?.id) }],
            [
                Metric(
                    "quakes_cache_doubts", "Unconfirmed changes.", by: "news", counts.map { ($0.0.rawValue, $0.1) })
            ])
    }

    private var readers: StatusFact {
        func metric(_ name: String, _ help: String, _ value: (ConsumerStanding) -> (any MetricValue)?) -> Metric {
            Metric("quakes_consumer_\(name)", help, by: "consumer", consumers.map { ($0.consumer.name, value($0)) })
        }
        return StatusFact(
            "consumer",
            consumers.map { standing in
                let words =
                    standing.fault == nil
                    ? "read up to transaction \(standing.consumer.number) of \(head.number)"
                    : "its token is no longer valid (\(standing.state))"
                return ("\(standing.consumer.name): \(words)", nil)
            }, ["consumers": consumers.map(\.statusRecord)],
            [
                metric("unread_transactions", "Transactions the consumer has not read.") { $0.unreadTransactions },
                metric("unread_changes", "Changes the consumer has not read.") { $0.unreadChanges },
                metric("token_valid", "1 if the consumer can resume from its token.") { $0.fault == nil },
                metric("last_read_timestamp_seconds", "When the consumer last read.") { $0.consumer.seen },
            ])
    }

    /// The gaps, the newest first, each with the command that fills it.
    private var missing: StatusFact {
        StatusFact(
            "gap",
            gaps.reversed().map { gap in
                let times = "\(gap.lowerBound.minuteWords) to \(gap.upperBound.minuteWords) UTC"
                return ("\(times): quakes may be missing", filling(gap))
            },
            ["gaps": gaps.map { ["since": $0.lowerBound, "until": $0.upperBound, "command": filling($0)] as Record }],
            [Metric("quakes_cache_gaps", "Time ranges not covered by a complete snapshot.", gaps.count)])
    }

    private var coverage: StatusFact {
        StatusFact("coverage", claims.words(now: now).map { ($0, nil) }, ["claims": claims.map(\.record)])
    }

    /// The ids that coverage is not true of.
    private var inQuestion: StatusFact {
        let brief = "\(questions.count.counted("quake")) to ask the event service about"
        return StatusFact(
            "in question", brief: questions.isEmpty ? nil : brief, questions.map { ("\($0.id): \($0.reason)", nil) },
            ["questions": questions.map(\.record)])
    }

    private var wrong: StatusFact {
        let problems = problems
        return StatusFact(
            "problem", problems.map { ($0.message, $0.command) },
            [
                "problems": problems.map {
                    ["code": $0.code.rawValue, "message": $0.message, "command": $0.command] as Record
                }
            ],
            [
                Metric(
                    "quakes_cache_problems", "Problems of the cache, by code.", by: "code",
                    StatusProblem.Code.allCases.map { code in (code.rawValue, problems.count { $0.code == code }) })
            ])
    }
}

extension FeedRecord {
    fileprivate func words(now: Timestamp) -> String {
        var words = name
        if let count = featureCount { words += ", \(count.counted("quake"))" }
        if let generated { words += ", generated \(generated.momentWords)" }
        if let checked { words += ", last asked \(checked.age(at: now))" }
        if let end = pause?.end { words += "; paused by the server until \(end.momentWords)" }
        if let error { words += "; failed\(errorTime.map { " \($0.age(at: now))" } ?? ""): \(error)" }
        return words
    }

    fileprivate var record: Record {
        [
            "name": name, "url": url, "generated": generated, "features": featureCount, "checked": checked,
            "applied": applied, "not_before": pause?.end, "error": error, "error_time": errorTime, "title": name,
        ]
    }
}

extension ConsumerStanding {
    fileprivate var statusRecord: Record {
        [
            "name": consumer.name, "token": consumer.tokenText, "state": state, "number": consumer.number,
            "unread": unreadTransactions, "unread_changes": unreadChanges, "seen": consumer.seen,
        ]
    }
}

extension OpenQuestion {
    fileprivate var record: Record {
        ["id": id, "since": originTimes.lowerBound, "until": originTimes.upperBound, "reason": reason]
    }
}

extension Doubt {
    fileprivate var words: String {
        switch kind {
        case .absent: "missing"
        case .backward: "an older version shown"
        case .place: claimedName.map { "place named “\($0)”" } ?? "unnamed place"
        }
    }

    fileprivate func record(id: String?) -> Record {
        [
            "quake": quakeKey, "id": id, "news": kind.rawValue, "first": first, "last": last, "sightings": sightings,
            "awaits_service": awaitsService, "place": claimedName,
        ]
    }
}

extension Doubt.Kind {
    /// How many doubts of this kind there are: `4 missing`, `37 place names`.
    fileprivate func words(_ count: Int) -> String {
        switch self {
        case .absent: "\(count.grouped) missing"
        case .backward: count.counted("older version")
        case .place: count.counted("place name")
        }
    }
}
