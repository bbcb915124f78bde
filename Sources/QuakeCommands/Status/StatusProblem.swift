import QuakeStore
import QuakeSystem

/// Something that is wrong with a cache, or with how it is kept up to date, and what to do about it.
struct StatusProblem {
    /// What kind of problem it is. Scripts and alerts go by these names; Documentation/commands.md lists them.
    enum Code: String, CaseIterable {
        case neverRefreshed = "never-refreshed"
        case stale
        case failingFeed = "failing-feed"
        case failingService = "failing-service"
        case unfinishedBackfill = "unfinished-backfill"
        case unreadHistory = "unread-history"
        case invalidToken = "invalid-token"
        case largeFile = "large-file"
        case largeLog = "large-log"
        case newerProgram = "newer-program"
    }

    let code: Code
    /// A clause.
    let message: String
    /// The command that helps; nil if none does.
    let command: String?

    init(_ code: Code, _ message: String, _ command: String?) {
        (self.code, self.message, self.command) = (code, message, command)
    }
}

/// Limits above which something counts as a problem.
struct ProblemLimits {
    /// Time since the last success; `--max-age` replaces it.
    var age = Duration.seconds(86_400)
    /// The largest age of the data, given by `--max-age`. Nil for the period of its feed and an hour, by the time at which
    /// it was read: with older data, the next refresh of that feed leaves a gap.
    var dataAge: Duration?
    /// Changes that a consumer has not read.
    var unreadChanges = 100_000
    /// Time since a consumer with unread changes has read.
    var silence = Duration.seconds(7 * 86_400)
    /// Bytes of the file, if its history has at least ten changes for each quake.
    var fileBytes: Int64 = 1 << 30
    /// Bytes of the write-ahead log, which a refresh empties unless something keeps the cache open.
    var logBytes: Int64 = 64 << 20
}

/// How a command must be written to work on the cache that was asked about.
struct CacheCommand {
    /// The path that `--db` must name; nil if the command finds the cache without it.
    var path: String?
    /// The user who may write the cache; nil for the one who asks.
    var user: String?

    /// The command line for the words of a command: `sudo -u quakes quakes refresh --db /var/lib/quakes/quakes.db`.
    func line(_ words: String...) -> String { line(words) }

    func line(_ words: [String]) -> String {
        let option = path.map { ["--db", $0] } ?? []
        let user = user.map { ["sudo", "-u", $0] } ?? []
        return (user + ["quakes"] + words + option).map(\.shellWord).joined(separator: " ")
    }
}

extension StatusReport {
    /// What is wrong, the gravest first. An earlier state has no problems: what it says of feeds is not of that time.
    var problems: [StatusProblem] {
        isPast
            ? []
            : programProblems + ageProblems + feedProblems + serviceProblems + backfillProblems + consumerProblems
                + sizeProblems
    }

    private var programProblems: [StatusProblem] {
        guard let program = last?.program, let theirs = versionNumbers(program),
            let own = versionNumbers(Program.name), own.lexicographicallyPrecedes(theirs)
        else { return [] }
        let message = "the cache was last written by \(program), which is newer than this program; upgrade this program"
        return [StatusProblem(.newerProgram, message, nil)]
    }

    private var ageProblems: [StatusProblem] {
        guard let lastSuccess else {
            return [StatusProblem(.neverRefreshed, "no feed has been read successfully", command.line("refresh"))]
        }
        var message: String?
        if now - lastSuccess > limits.age {
            message = "nothing has been read successfully for \((now - lastSuccess).words)"
        } else if let newestData, limits.dataAge.map({ now - newestData > $0 }) ?? (lastSuccess - newestData > reach) {
            message = "the newest data was generated\(ago(newestData)), though it was read\(ago(lastSuccess))"
        }
        return message.map { [StatusProblem(.stale, $0, command.line("refresh"))] } ?? []
    }

    /// How old a document of the newest feed may be when it is read: beyond its period the next one leaves a gap.
    private var reach: Duration {
        let newest = feeds.first { $0.generated != nil && $0.generated == newestData }
        return (newest.flatMap { FeedName($0.name) }?.period ?? .day).window + .seconds(3600)
    }

    private var feedProblems: [StatusProblem] {
        feeds.filter { !$0.isService && $0.error != nil }.map { feed in
            let pause = feed.pause.map { "; its server asked to wait until \($0.end.momentWords)" }
            // An address that was never read is more likely a mistake than a server that fails.
            let isMistake = feed.lastSuccess == nil && FeedName(feed.name) == nil
            let remedy = command.line((isMistake ? ["status", "--forget"] : ["refresh"]) + [feed.name])
            return StatusProblem(
                .failingFeed, "\(feed.name) failed\(ago(feed.errorTime))\(pause ?? "")", pause == nil ? remedy : nil)
        }
    }

    private var serviceProblems: [StatusProblem] {
        let isKept = claims.contains { $0.source == .backfill }
        guard isKept || doubts.contains(where: \.doubt.awaitsService),
            let service = feeds.last(where: { $0.isService && $0.error != nil }), let error = service.error
        else { return [] }
        let message = "the last request to the event service failed\(ago(service.errorTime)): \(error)"
        return [StatusProblem(.failingService, message, command.line(isKept ? "backfill" : "refresh"))]
    }

    private var backfillProblems: [StatusProblem] {
        unfinished.map {
            StatusProblem(.unfinishedBackfill, "a backfill is not finished: \($0.words)", command.line("backfill"))
        }
    }

    private var consumerProblems: [StatusProblem] {
        consumers.compactMap { standing in
            let consumer = standing.consumer
            guard let unread = standing.unreadChanges else {
                let isExpired = standing.fault == .expired
                let next =
                    isExpired
                    ? "fails; skip everything so far, or forget it"
                    : "resumes at the last transaction that both histories share"
                return StatusProblem(
                    .invalidToken,
                    "the token of the consumer \(consumer.name) cannot be used (\(standing.state)); its next call "
                        + "starts over, or with --exec-each \(next)",
                    isExpired ? command.line("changes", "--consumer", consumer.name, "--ack", "now") : nil)
            }
            let isSilent = unread > 0 && now - consumer.seen > limits.silence
            guard unread > limits.unreadChanges || isSilent else { return nil }
            let waiting = standing.isLive ? ", which no history purge deletes" : ""
            return StatusProblem(
                .unreadHistory,
                "the consumer \(consumer.name) has \(unread.counted("unread change"))\(waiting), and last read"
                    + "\(ago(consumer.seen)); restart it, or forget it",
                command.line("consumers", "--forget", consumer.name))
        }
    }

    private var sizeProblems: [StatusProblem] {
        let (file, log) = (statistics.fileBytes, statistics.logBytes)
        let isLarge = file > limits.fileBytes && statistics.changes / 10 >= statistics.quakes
        let largeFile = StatusProblem(
            .largeFile, "the file is \(file.byteWords), most of it history; old history can be purged",
            command.line("purge", "--history", "--older-than", "90d", "--compact"))
        let largeLog = StatusProblem(
            .largeLog,
            "the write-ahead log is \(log.byteWords): a program that has the cache open prevents it "
                + "from being checkpointed; find that program", "fuser -v \(path.shellWord)")
        return (isLarge ? [largeFile] : []) + (log > limits.logBytes ? [largeLog] : [])
    }

    /// ` 3 hours ago`.
    func ago(_ moment: Timestamp?) -> String { moment.map { " \($0.age(at: now))" } ?? "" }
}

/// The numbers of a version as it is recorded with transactions, `quakes 1.0.0`; nil for the name of another program.
private func versionNumbers(_ program: String) -> [Int]? {
    guard program.hasPrefix("quakes ") else { return nil }
    let parts = program.dropFirst("quakes ".count).prefix { $0 != "-" && $0 != "+" }.split(separator: ".")
    let numbers = parts.compactMap { Int($0) }
    return numbers.count == parts.count && !numbers.isEmpty ? numbers : nil
}
