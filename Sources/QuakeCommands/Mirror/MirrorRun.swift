import Glibc
import QuakeMirror
import QuakeSystem

/// One run of `quakes refresh`, `backfill` or `details`. It shows its progress and reports what was saved.
struct MirrorRun {
    private let mirror: FeedMirror
    private let isDryRun: Bool
    private let environment: CommandEnvironment
    private let reporter: Reporter
    private let steps: MirrorSteps
    private let interrupt: HeldSignals?
    private let observer: MirrorObserver

    init(
        _ mirror: FeedMirror, dryRun: Bool, format: ReportFormat, _ global: GlobalOptions,
        _ environment: CommandEnvironment
    ) {
        self.mirror = mirror
        isDryRun = dryRun
        self.environment = environment
        let reporter = Reporter(environment, global, format)
        let steps = MirrorSteps(mirror, dryRun: dryRun, reporter, global, environment)
        let interrupt = reporter.showsProgress ? HeldSignals([SIGINT]) : nil
        (self.reporter, self.steps, self.interrupt) = (reporter, steps, interrupt)
        observer = MirrorObserver(
            report: { step in
                // After the first step, Ctrl-C ends the program only once it has reported what was saved.
                interrupt?.hold()
                steps.show(step)
            }, isCancelled: { interrupt?.arrived != nil })
    }

    /// Applies every source in its own transaction; without sources, refreshes as scheduled. Returns the status of the
    /// first failure.
    func refresh(_ sources: [FeedSource]) throws -> ExitStatus {
        if isDryRun, sources.count > 1 {
            reporter.remark("each feed is compared with the cache as it is now, without the other feeds' changes")
        }
        do {
            return try run {
                let status = sources.isEmpty ? try refreshAsScheduled() : try apply(sources)
                // A person who names a file knows its age.
                let fetches = sources.isEmpty || sources.contains { if case .file = $0 { false } else { true } }
                if fetches, !isDryRun { warnOfStaleData() }
                try reporter.finish()
                return status
            }
        } catch  where CommandError(error).status == .tryLater {
            steps.print(error)
            return .tryLater
        }
    }

    func backfill(_ request: BackfillRequest, limits: BackfillSettings) throws -> ExitStatus {
        try run {
            let report = try mirror.backfill(request, limits: limits, dryRun: isDryRun, observer)
            steps.show(report, isUpdate: request == .update)
            try reporter.finish()
            return report.incompleteWindows.isEmpty ? .success : .serverUnavailable
        }
    }

    /// Fetches the details of the quakes with `keys`; if nil, updates the quakes fetched before.
    func details(_ keys: [QuakeKey]?, again: Bool, limits: BackfillSettings) throws -> ExitStatus {
        try run {
            let report = try mirror.fetchDetails(ofKeys: keys, again: again, limits: limits, dryRun: isDryRun, observer)
            reporter.report(report.words(dryRun: isDryRun), report.record(dryRun: isDryRun))
            try reporter.finish()
            return report.failures.first.map { CommandError($0).status } ?? .success
        }
    }

    /// Runs `body`. If stopped, reports what was saved.
    private func run(_ body: () throws -> ExitStatus) throws -> ExitStatus {
        // If a signal has arrived, the program ends here.
        defer { interrupt?.release() }
        let path = mirror.cache.path
        // A mistyped path, or a disk that is not mounted, should not go unnoticed.
        let isUnexpected = access(path, F_OK) != 0 && path != GlobalOptions.ownDatabasePath(in: environment)
        defer {
            if isUnexpected, access(path, F_OK) == 0 { reporter.remark("created a new cache: \(path)") }
        }
        do {
            defer { reporter.erase() }
            return try body()
        } catch is CancellationError {
            reporter.remark("Interrupted\(steps.saved.map { " after saving \($0)" } ?? "; nothing was saved").")
            return .failure
        } catch {
            if let saved = steps.saved { reporter.remark("Stopped after saving \(saved).") }
            throw error
        }
    }

    private func warnOfStaleData() {
        // A warning that cannot be recorded is not a failure of the refresh.
        guard let context = try? mirror.cache.context(access: .writing),
            let words = try? StaleWarning.due(in: context, now: environment.now())
        else { return }
        reporter.say(words)
    }

    private func refreshAsScheduled() throws -> ExitStatus {
        do {
            _ = try ScheduledRefresh(mirror, observer: observer).run(dryRun: isDryRun)
        } catch let error as FeedError {
            // The steps have reported it.
            return CommandError(error).status
        }
        try observer.checkCancellation()
        return .success
    }

    private func apply(_ sources: [FeedSource]) throws -> ExitStatus {
        try mirror.session(dryRun: isDryRun, observer: observer) { session in
            var status = ExitStatus.success
            for (index, source) in ReplayOrder.sorted(sources).enumerated() {
                steps.begin(source, index + 1, of: sources.count)
                do {
                    steps.show(try session.refresh(source))
                    try observer.checkCancellation()
                } catch let error as FeedError {
                    steps.show(error, of: source, namesSource: sources.count > 1)
                    if status == .success { status = CommandError(error).status }
                }
            }
            return status
        }
    }
}
