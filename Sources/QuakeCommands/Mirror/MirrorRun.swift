import Glibc
import QuakeMirror
import QuakeSystem

/// One run of `quakes refresh`, `backfill` or `details`. It shows its progress and reports what was saved.
struct MirrorRun {
    private let mirror: FeedMirror
    private let global: GlobalOptions
    private let environment: CommandEnvironment
    private let reporter: Reporter
    private let steps: MirrorSteps
    private let interrupt: HeldSignals?
    private let observer: MirrorObserver

    init(_ mirror: FeedMirror, format: ReportFormat, _ global: GlobalOptions, _ environment: CommandEnvironment) {
        (self.mirror, self.global, self.environment) = (mirror, global, environment)
        let reporter = Reporter(environment, global, format)
        let steps = MirrorSteps(reporter, isVerbose: global.isVerbose)
        let interrupt = reporter.showsProgress ? HeldSignals([SIGINT]) : nil
        (self.reporter, self.steps, self.interrupt) = (reporter, steps, interrupt)
        observer = MirrorObserver(
            report: { step in
                // After the first step, Ctrl-C ends the program only once it has reported what was saved.
                interrupt?.hold()
                steps.show(step)
            }, isCancelled: { interrupt?.arrived != nil })
    }

    /// Applies every source, or the feed that is due, in its own transaction. Returns the status of the first failure.
    func refresh(_ sources: [FeedSource], dryRun: Bool) throws -> ExitStatus {
        let status: ExitStatus
        if dryRun, sources.count > 1 {
            reporter.remark("each feed is compared with the cache as it is now, without the other feeds' changes")
        }
        do {
            status = try run("feed") {
                try mirror.session(dryRun: dryRun, observer: observer) { session in
                    try refresh(sources, in: session, dryRun: dryRun)
                }
            }
        } catch  where CommandError(error).status == .tryLater {
            CommandError(error).print(on: environment.standardError, global, hasLasted: lacksSuccess)
            return .tryLater
        }
        guard sources.isEmpty, !dryRun, status == .success else { return status }
        do {
            _ = try run("window") {
                guard let report = try mirror.updateIfDue(observer) else { return .success }
                return try finish(report, of: .update)
            }
        } catch {
            // A failed update does not change the status of the refresh.
            CommandError(error).print(on: environment.standardError, global)
        }
        return status
    }

    func backfill(_ request: BackfillRequest, limits: BackfillSettings, dryRun: Bool) throws -> ExitStatus {
        try run("window") {
            try finish(mirror.backfill(request, limits: limits, dryRun: dryRun, observer), of: request)
        }
    }

    /// Fetches the details of the quakes with `keys`; if nil, updates the quakes fetched before.
    func details(_ keys: [QuakeKey]?, again: Bool, limits: BackfillSettings, dryRun: Bool) throws -> ExitStatus {
        try run("quake") {
            let report = try mirror.fetchDetails(ofKeys: keys, again: again, limits: limits, dryRun: dryRun, observer)
            reporter.report(report.words(dryRun: dryRun), report.record(dryRun: dryRun))
            try reporter.finish()
            return report.failures.first.map { CommandError($0).status } ?? .success
        }
    }

    private func finish(_ report: BackfillReport, of request: BackfillRequest) throws -> ExitStatus {
        reporter.report(report.words, report.record)
        // An update reports what is still missing from the parts that backfills requested.
        if request == .update {
            let day = environment.now() - .seconds(86_400)
            for part in try mirror.cache.context(access: .reading).sources.coverage().missing(until: day) {
                reporter.remark("the backfill is not finished (\(part.words)); the next update will resume it")
            }
        }
        try reporter.finish()
        return report.incompleteWindows.isEmpty ? .success : .serverUnavailable
    }

    /// Runs `body`, which saves items called `unit`. If stopped, reports the number of items saved.
    private func run(_ unit: String, _ body: () throws -> ExitStatus) throws -> ExitStatus {
        // If a signal has arrived, the program ends here.
        defer { interrupt?.release() }
        let path = mirror.cache.path
        // A mistyped path, or a disk that is not mounted, must not go unnoticed, even with --quiet.
        let isUnexpected = access(path, F_OK) != 0 && path != GlobalOptions.ownDatabasePath(in: environment)
        let before = steps.saved
        func kept() -> String? {
            let count = steps.saved - before
            return count > 0 ? "after saving \(count.counted(unit))" : nil
        }
        defer {
            if isUnexpected, access(path, F_OK) == 0 { reporter.say("quakes: created a new cache: \(path)") }
        }
        do {
            defer { reporter.erase() }
            return try body()
        } catch is CancellationError {
            reporter.remark("Interrupted\(kept().map { " \($0)" } ?? "; nothing was saved").")
            return .failure
        } catch {
            if let kept = kept() { reporter.remark("Stopped \(kept).") }
            throw error
        }
    }

    private func refresh(_ sources: [FeedSource], in session: MirrorSession, dryRun: Bool) throws -> ExitStatus {
        var status = ExitStatus.success
        var ordered = try sources.isEmpty ? [.summary(session.dueFeed())] : ReplayOrder.sorted(sources)
        var index = 0
        while index < ordered.count {
            let source = ordered[index]
            index += 1
            let (name, address) = (source.recordName(at: mirror.endpoint), source.address(at: mirror.endpoint))
            if global.isVerbose { reporter.say("quakes: reading \(address)") }
            steps.begin(name, index, of: ordered.count)
            do {
                steps.show(try session.refresh(source))
                // A smaller feed that replaces the scheduled one makes the refresh a success.
                if sources.isEmpty { status = .success }
                try observer.checkCancellation()
            } catch let error as FeedError {
                reporter.erase()
                var message = CommandError(error)
                // The message of a transport error does not name the feed.
                if sources.count > 1, case .transport = error { message.what = "\(name): \(message.what)" }
                if case .document(let fault, let document) = error { steps.name(fault.skipped, of: document) }
                message.print(on: environment.standardError, global, hasLasted: lacksSuccess)
                reporter.report(
                    nil,
                    RefreshReport.record(feed: name, source: address, dryRun: dryRun, nil, error: message.what))
                if status == .success { status = message.status }
                // If the server cannot serve the scheduled feed, the next smaller feed is tried.
                if sources.isEmpty, error.isOfThisRequestAlone, let feed = source.asked,
                    let next = RefreshSchedule.fallback(after: feed)
                {
                    ordered.append(.summary(next))
                }
            }
        }
        try reporter.finish()
        return status
    }

    /// Whether no refresh has succeeded in the last hour.
    private var lacksSuccess: Bool {
        let feeds = try? mirror.cache.context(access: .reading).sources.feeds()
        let last = feeds?.compactMap(\.lastSuccess).max()
        return last.map { environment.now() - $0 >= .seconds(3600) } ?? true
    }
}
