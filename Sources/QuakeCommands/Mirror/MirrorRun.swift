import Glibc
import QuakeMirror
import QuakeSystem

/// One run of `quakes refresh`, `backfill` or `details`: carries it out, shows how far it is, and says what was kept.
struct MirrorRun {
    private let mirror: FeedMirror
    private let global: GlobalOptions
    private let environment: CommandEnvironment
    private let output: MirrorOutput
    private let progress: ProgressLine
    private let interrupt: HeldSignals?
    private let observer: MirrorObserver

    init(_ mirror: FeedMirror, format: ReportFormat, _ global: GlobalOptions, _ environment: CommandEnvironment) {
        (self.mirror, self.global, self.environment) = (mirror, global, environment)
        let watches = environment.standardError.isTerminal && !global.isQuiet
        let progress = ProgressLine(
            environment.standardError, isShown: watches && environment.variable("TERM") != "dumb")
        let interrupt = watches ? HeldSignals([SIGINT]) : nil
        let output = MirrorOutput(format: format, global: global, environment: environment, progress: progress)
        (self.progress, self.interrupt, self.output) = (progress, interrupt, output)
        observer = MirrorObserver(
            report: { step in
                // After the first request, Ctrl-C ends the program only once it has reported what was saved.
                switch step {
                case .requesting, .counting, .asking: interrupt?.hold()
                default: break
                }
                output.show(step)
            }, isCancelled: { interrupt?.arrived != nil }, describe: { ErrorMessage($0).what })
    }

    /// Applies every source, or the one that is due, each as its own transaction. The status is the first failure's.
    func refresh(_ sources: [FeedSource], dryRun: Bool) throws -> ExitStatus {
        // A signal that has come ends the program here.
        defer { interrupt?.release() }
        let status: ExitStatus
        do {
            status = try mirror.session(dryRun: dryRun, observer: observer) { session in
                try refresh(sources, in: session, dryRun: dryRun)
            }
        } catch is CancellationError {
            return .failure
        } catch  where ErrorMessage(error).status == .tryLater {
            ErrorMessage(error).print(on: environment.standardError, global, hasLasted: lacksSuccess)
            return .tryLater
        }
        guard sources.isEmpty, !dryRun, status == .success else { return status }
        do {
            var updated = false
            _ = try run(.update) {
                guard let report = try mirror.updateIfDue(observer) else { return .success }
                updated = true
                return try finish(report, of: .update)
            }
            if updated { try nameUnfinished() }
        } catch {
            // It does not change the status of the refresh.
            ErrorMessage(error).print(on: environment.standardError, global)
        }
        return status
    }

    func backfill(_ request: BackfillRequest, limits: BackfillSettings, dryRun: Bool) throws -> ExitStatus {
        let status = try run(request) {
            try finish(mirror.backfill(request, limits: limits, dryRun: dryRun, observer), of: request)
        }
        if request == .update { try nameUnfinished() }
        return status
    }

    /// Names what is still missing of what backfills asked for.
    private func nameUnfinished() throws {
        let day = environment.now() - .seconds(86_400)
        for part in try mirror.cache.context(access: .reading).sources.coverage().missing(until: day)
        where !global.isQuiet {
            environment.standardError.writeLine(
                "quakes: not finished: \(part.unfinishedWords); the next update continues")
        }
    }

    /// Asks about the quakes under `keys`, or about those that were asked about before.
    func details(_ keys: [QuakeKey]?, again: Bool, limits: BackfillSettings, dryRun: Bool) throws -> ExitStatus {
        try run(nil) {
            let report = try mirror.fetchDetails(ofKeys: keys, again: again, limits: limits, dryRun: dryRun, observer)
            try output.finish(report.words(dryRun: dryRun), report.record(dryRun: dryRun))
            return report.failures.first.map { ErrorMessage($0).status } ?? .success
        }
    }

    private func finish(_ report: BackfillReport, of request: BackfillRequest) throws -> ExitStatus {
        try output.finish(report.words(of: request), report.record)
        return report.unclaimed.isEmpty ? .success : .serverUnavailable
    }

    /// Runs a backfill, or without a `request` details; after one that was stopped, says what it kept.
    private func run(_ request: BackfillRequest?, _ body: () throws -> ExitStatus) throws -> ExitStatus {
        interrupt?.hold()
        defer { interrupt?.release() }
        do {
            defer { progress.erase() }
            return try body()
        } catch is CancellationError {
            output.sayWhatIsKept("Interrupted.", of: request)
            return .failure
        } catch {
            let isSilent = global.isQuiet && ErrorMessage(error).status == .tryLater
            let hasKept = output.sayWhatIsKept(nil, of: request, isSilent: isSilent)
            throw hasKept ? CommandError.stoppedHalfway(error) : error
        }
    }
}

// MARK: Feeds and files

extension MirrorRun {
    private func refresh(_ sources: [FeedSource], in session: MirrorSession, dryRun: Bool) throws -> ExitStatus {
        var status = ExitStatus.success
        var total = RefreshTotal()
        let hasSeveralFiles = sources.count { !$0.isRemote } > 1
        var ordered = try sources.isEmpty ? [.summary(session.dueFeed())] : ReplayOrder.sorted(sources)
        var index = 0
        while index < ordered.count {
            let source = ordered[index]
            index += 1
            let (name, address) = (source.recordName(at: mirror.endpoint), source.address(at: mirror.endpoint))
            global.tell("reading \(address)", in: environment)
            progress.begin(name, index, of: ordered.count)
            var unfinished: String? = name
            do {
                let report = try apply(source, in: session)
                unfinished = nil
                total.add(report)
                output.write(report, namesFile: hasSeveralFiles && !source.isRemote)
                if interrupt?.arrived != nil { throw CancellationError() }
            } catch is CancellationError {
                let words = InterruptWords(feed: unfinished, applied: total.applied, left: ordered.count - index)
                environment.standardError.writeLine("quakes: \(words.text)")
                throw CancellationError()
            } catch let error as FeedError {
                let message = ErrorMessage(error, of: sources.count > 1 ? name : nil)
                total.failed += 1
                if case .document(.badFeatures(let features), let document) = error {
                    features.name(of: document, namesMore: global.isVerbose, on: environment.standardError)
                }
                message.print(on: environment.standardError, global, hasLasted: lacksSuccess)
                output.writeFailure(
                    RefreshReport.failure(feed: name, source: address, dryRun: dryRun, reason: message.what))
                if status == .success { status = message.status }
                // When the server cannot serve the scheduled feed, the next smaller one is tried.
                if sources.isEmpty, error.isOfThisRequestAlone, let feed = source.asked,
                    let next = RefreshSchedule.fallback(after: feed)
                {
                    ordered.append(.summary(next))
                }
            }
        }
        try output.finish(hasSeveralFiles ? total : nil)
        return status
    }

    /// Whether no refresh has succeeded in the last hour.
    private var lacksSuccess: Bool {
        let feeds = try? mirror.cache.context(access: .reading).sources.feeds()
        let last = feeds?.compactMap(\.lastSuccess).max()
        return last.map { environment.now() - $0 >= .seconds(3600) } ?? true
    }

    /// Applies `source`. What is written afterward starts on a line of its own, even if this fails.
    private func apply(_ source: FeedSource, in session: MirrorSession) throws -> RefreshReport {
        defer { progress.erase() }
        return try session.refresh(source)
    }
}

/// What is said after Ctrl-C: the feed whose download was interrupted, if any, and how many feeds were applied and not
/// begun.
struct InterruptWords {
    let feed: String?
    let applied: Int
    let left: Int

    var text: String {
        func feeds(_ count: Int) -> String { " \(count.counted("feed")) \(count == 1 ? "was" : "were")" }
        return (feed.map { "Interrupted; nothing from \($0) was saved." } ?? "Interrupted.")
            + (applied > 0 || feed == nil ? "\(feeds(applied)) applied." : "")
            + (left > 0 ? "\(feeds(left)) not started." : "")
    }
}
