import Glibc
import QuakeStore
import QuakeSystem

extension StatusReport {
    /// The problems, most serious first. A past state has none, because feeds, consumers and sizes have no history.
    var problems: [StatusProblem] {
        isPast
            ? []
            : programProblems + linkProblems + ageProblems + clockProblems + feedProblems + serviceProblems
                + backfillProblems
                + consumerProblems
                + sizeProblems
    }

    private var programProblems: [StatusProblem] {
        guard let program = last?.program, let theirs = versionNumbers(program),
            let own = versionNumbers(Program.name), own.lexicographicallyPrecedes(theirs)
        else { return [] }
        let message = "the cache was last written by \(program), which is newer than this version; upgrade quakes"
        return [StatusProblem(.newerProgram, message, nil)]
    }

    private var linkProblems: [StatusProblem] {
        guard let count = FileLocation.status(of: path)?.st_nlink, count > 1 else { return [] }
        let message =
            "the file has \(count) names (hard links), so nothing can write to it; find them and delete all but one"
        let word = path.shellWord
        return [StatusProblem(.hardLinks, message, "find \"$(stat -c %m \(word))\" -xdev -samefile \(word)")]
    }

    private var ageProblems: [StatusProblem] {
        guard lastSuccess != nil else {
            return [StatusProblem(.neverRefreshed, "no successful read of a feed is recorded", command.line("refresh"))]
        }
        return age.staleness.map { [StatusProblem(.stale, $0, command.line("refresh"))] } ?? []
    }

    /// Snapshots dated ahead of this machine's clock. Either the source or the clock is wrong.
    private var clockProblems: [StatusProblem] {
        feeds.compactMap { feed in
            guard let generated = feed.generated, generated - now > limits.clockDifference else { return nil }
            let message =
                "the newest copy of \(feed.name) is dated \((generated - now).words) ahead of this machine's "
                + "clock; one of the two is wrong"
            return StatusProblem(.datedAhead, message, nil)
        }
    }

    private var feedProblems: [StatusProblem] {
        feeds.filter { !$0.isService && $0.error != nil }.map { feed in
            let pause = feed.pause.map { "; its server asked to wait until \($0.end.momentWords)" }
            // A source that was never read and is not a named feed is probably mistyped.
            let isMistake = feed.lastSuccess == nil && FeedName(feed.name) == nil
            let remedy =
                isMistake ? command.line("status", "--forget", feed.name) : command.line("refresh", feed.name)
            return StatusProblem(
                .failingFeed, "reading \(feed.name) failed\(ago(feed.errorTime))\(pause ?? "")",
                pause == nil ? remedy : nil)
        }
    }

    private var serviceProblems: [StatusProblem] {
        let isKept = coveredRanges.contains(where: \.source.isFromBackfill)
        let isNeeded = isKept || !idsInQuestion.isEmpty || unconfirmedChanges.contains(where: \.change.awaitsService)
        let failing = feeds.filter { feed in
            feed.isService && feed.error != nil && (isNeeded || feed.name.hasSuffix(SourceName.deletionsSuffix))
        }
        guard let service = failing.last, let error = service.error else { return [] }
        let message = "the last request to the event service failed\(ago(service.errorTime)): \(error)"
        return [StatusProblem(.failingService, message, command.line(isKept ? "backfill" : "refresh"))]
    }

    private var backfillProblems: [StatusProblem] {
        unfinished.map {
            StatusProblem(.unfinishedBackfill, "a backfill is not finished (\($0.words))", command.line("backfill"))
        }
    }

    private var consumerProblems: [StatusProblem] {
        consumers.compactMap { standing in
            let consumer = standing.consumer
            guard let unread = standing.unreadChanges else {
                let isExpired = standing.fault == .expired
                let next =
                    isExpired
                    ? "with --on-expired fail or --exec-each, it fails instead. The suggested command skips the "
                        + "purged changes: the consumer then starts at the oldest change left."
                    : "with --exec-each, it resumes after transaction \(consumer.number) instead."
                let cause = standing.fault.map { ": \($0.words)" } ?? ""
                return StatusProblem(
                    .invalidToken, "the token of the consumer \(consumer.name) cannot be used\(cause)",
                    explanation: "The consumer's next run delivers every quake again; \(next)",
                    isExpired ? command.line("changes", "--consumer", consumer.name, "--ack", "beginning") : nil)
            }
            let isSilent = unread > 0 && now - consumer.lastRead > limits.consumerSilence
            guard unread > limits.unreadChanges || isSilent else { return nil }
            let waiting = standing.isActive ? ", which history purges keep" : ""
            return StatusProblem(
                .unreadHistory,
                "the consumer \(consumer.name) last read\(ago(consumer.lastRead)) and has "
                    + "\(unread.counted("unread change"))\(waiting); restart the consumer, or give up these changes "
                    + "with `\(command.line("consumers", "--forget", consumer.name))`", nil)
        }
    }

    private var sizeProblems: [StatusProblem] {
        let file = statistics.fileBytes
        let log = statistics.logBytes
        let isLarge = file > limits.fileBytes && statistics.changes / 10 >= statistics.quakes
        let largeFile = StatusProblem(
            .largeFile, "the file is \(file.byteWords), most of it history; old history can be purged",
            command.line("purge", "--history", "--older-than", "90d", "--compact"))
        let largeLog = StatusProblem(
            .largeLog,
            "the write-ahead log is \(log.byteWords): a program that has the cache open keeps a refresh from emptying "
                + "the log; find that program", "fuser -v \(path.shellWord)")
        return (isLarge ? [largeFile] : []) + (log > limits.logBytes ? [largeLog] : [])
    }

    /// ` 3 hours ago`.
    func ago(_ moment: Timestamp?) -> String { moment.map { " \($0.age(at: now))" } ?? "" }
}

/// Returns the parts of the version in a program name such as `quakes 1.0.0`; nil for other programs.
private func versionNumbers(_ program: String) -> [Int]? {
    guard program.hasPrefix("quakes ") else { return nil }
    let parts = program.dropFirst("quakes ".count).prefix { $0 != "-" && $0 != "+" }.split(separator: ".")
    let numbers = parts.compactMap { Int($0) }
    return numbers.count == parts.count && !numbers.isEmpty ? numbers : nil
}
