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
    /// One sentence without its full stop.
    let message: String
    /// The command that helps; nil where none does.
    let command: String?
}

/// Limits above which something counts as a problem.
struct ProblemLimits {
    /// Time since the last success; `--max-age` replaces it.
    var age = Duration.seconds(86_400)
    /// Age of the newest data, by the moment at which it was generated; nil for none, as an archive has.
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
    func problems(_ limits: ProblemLimits, _ command: CacheCommand) -> [StatusProblem] {
        guard !isPast else { return [] }
        return programProblems() + ageProblems(limits, command) + feedProblems(command)
            + unfinishedProblems(command) + consumerProblems(limits, command) + sizeProblems(limits, command)
    }

    private func programProblems() -> [StatusProblem] {
        guard let program = last?.program, let theirs = ProgramVersion(program),
            let own = ProgramVersion(Program.name), own < theirs
        else { return [] }
        return [
            StatusProblem(
                code: .newerProgram,
                message: "the cache was last written by \(program), which is newer than this program; upgrade it",
                command: nil)
        ]
    }

    private func ageProblems(_ limits: ProblemLimits, _ command: CacheCommand) -> [StatusProblem] {
        guard let lastSuccess else {
            let message = "no feed has been read successfully"
            return [StatusProblem(code: .neverRefreshed, message: message, command: command.line("refresh"))]
        }
        var ages: [String] = []
        if now - lastSuccess > limits.age {
            ages.append("no feed has been read successfully for \((now - lastSuccess).words)")
        } else if let limit = limits.dataAge, let newestData, now - newestData > limit {
            ages.append(
                "the newest data was generated \(newestData.age(at: now)), though it was read \(lastSuccess.age(at: now))"
            )
        }
        return ages.map { StatusProblem(code: .stale, message: $0, command: command.line("refresh")) }
    }

    private func feedProblems(_ command: CacheCommand) -> [StatusProblem] {
        let failing = feeds.filter { $0.error != nil }
        let sources = failing.filter { !$0.source.isService }.map { feed in
            // An address that was never read is more likely a mistake than a server that fails.
            let isMistake = feed.lastSuccess == nil && FeedName(feed.name) == nil
            let pause = feed.pause.map { "; its server asked to wait until \($0.end.momentWords)" } ?? ""
            return StatusProblem(
                code: .failingFeed, message: "\(feed.title) failed\(ago(feed.errorTime))\(pause)",
                command: !pause.isEmpty
                    ? nil
                    : isMistake ? command.line("status", "--forget", feed.name) : command.line("refresh", feed.name))
        }
        let isKept = claims.contains { $0.source == .backfill }
        let isAsked = isKept || doubts.contains(where: \.doubt.awaitsService)
        guard let service = failing.last(where: \.source.isService), isAsked else { return sources }
        let reason = service.error.map { $0.hasSuffix(".") ? $0.dropLast() : $0[...] } ?? ""
        let message = "asking the event service failed\(ago(service.errorTime)): \(reason)"
        return sources + [
            StatusProblem(
                code: .failingService, message: message, command: command.line(isKept ? "backfill" : "refresh"))
        ]
    }

    private func unfinishedProblems(_ command: CacheCommand) -> [StatusProblem] {
        // The backfill may be the one that is running; if not, its command would have to wait.
        (isBackfillBarred ? [] : unfinished).map { part in
            StatusProblem(
                code: .unfinishedBackfill, message: "a backfill is not finished: \(part.unfinishedWords)",
                command: command.line("backfill"))
        }
    }

    private func consumerProblems(_ limits: ProblemLimits, _ command: CacheCommand) -> [StatusProblem] {
        consumers.compactMap { standing in
            let consumer = standing.consumer
            guard let unread = standing.unreadChanges else {
                let isExpired = standing.fault == .expired
                let next =
                    isExpired
                    ? "starts over, or fails with --exec-each; skip everything so far, or forget it"
                    : "starts over, or with --exec-each continues where both histories agree"
                return StatusProblem(
                    code: .invalidToken,
                    message: "the token of the consumer \(consumer.name) is no longer valid (\(standing.state)); its "
                        + "next call \(next)",
                    command: isExpired ? command.line("changes", "--consumer", consumer.name, "--ack", "now") : nil)
            }
            let isSilent = unread > 0 && now - consumer.seen > limits.silence
            guard unread > limits.unreadChanges || isSilent else { return nil }
            let waiting = standing.isLive ? ", which no history purge deletes" : ""
            let message =
                "the consumer \(consumer.name) has \(unread.counted("unread change"))\(waiting), and last read"
                + "\(ago(consumer.seen)); restart it, or forget it"
            return StatusProblem(
                code: .unreadHistory, message: message, command: command.line("consumers", "--forget", consumer.name))
        }
    }

    private func sizeProblems(_ limits: ProblemLimits, _ command: CacheCommand) -> [StatusProblem] {
        var problems: [StatusProblem] = []
        if statistics.fileBytes > limits.fileBytes, statistics.changes / 10 >= statistics.quakes {
            problems.append(
                StatusProblem(
                    code: .largeFile,
                    message:
                        "the file is \(statistics.fileBytes.byteWords), most of it history; old history can be purged",
                    command: command.line("purge", "--history", "--older-than", "90d", "--compact")))
        }
        if statistics.logBytes > limits.logBytes {
            problems.append(
                StatusProblem(
                    code: .largeLog,
                    message: "the write-ahead log is \(statistics.logBytes.byteWords): a program that has the cache "
                        + "open keeps refreshes from checkpointing it; find that program",
                    command: "fuser -v \(path.shellWord)"))
        }
        return problems
    }

    private func ago(_ moment: Timestamp?) -> String { moment.map { " \($0.age(at: now))" } ?? "" }
}

/// A version as it is recorded with transactions: `quakes 1.0.0`.
private struct ProgramVersion: Comparable {
    private let numbers: [Int]

    /// Nil for the name of another program.
    init?(_ program: String) {
        let words = program.split(separator: " ")
        guard words.count == 2, words[0] == "quakes" else { return nil }
        let numbers = words[1].prefix { $0 != "-" && $0 != "+" }.split(separator: ".").map { Int($0) }
        self.numbers = numbers.compactMap(\.self)
        guard numbers.count == self.numbers.count, !numbers.isEmpty else { return nil }
    }

    static func < (left: ProgramVersion, right: ProgramVersion) -> Bool {
        left.numbers.lexicographicallyPrecedes(right.numbers)
    }
}
