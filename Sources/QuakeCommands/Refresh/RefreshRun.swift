import Glibc
import QuakeFeed
import QuakeHTTP
import QuakeMirror
import QuakeModel
import QuakeOutput
import QuakeStore
import QuakeSystem

/// One run of `quakes refresh`: applies the sources in their order, each as its own transaction, and reports on each.
struct RefreshRun {
    private let command: RefreshCommand
    private let environment: CommandEnvironment
    private let reports: ReportOutput
    private let progress: ProgressLine
    private let interrupt: HeldSignals?

    init(command: RefreshCommand, environment: CommandEnvironment) throws {
        try command.download.requireAddress(in: environment)
        self.command = command
        self.environment = environment
        reports = ReportOutput(
            environment.standardOutput, command.reporting.format, isQuiet: command.global.isQuiet)
        let watches = environment.standardError.isTerminal && !command.global.isQuiet
        progress = ProgressLine(environment.standardError, isShown: watches && environment.variable("TERM") != "dumb")
        interrupt = watches ? HeldSignals([SIGINT]) : nil
    }

    /// Applies every source, or the one that is due. A source that fails does not stop the others; the status is that
    /// of the first failure.
    func refresh(_ sources: [FeedSource]) throws -> ExitStatus {
        let status = try mirror().session(dryRun: command.dryRun) { try refresh(sources, in: $0) }
        if sources.isEmpty, !command.dryRun, status == .success { updateCatalogue() }
        return status
    }

    /// Brings the parts of the catalogue that the cache holds up to date, if they are due. A failure is printed and
    /// does not change the status of the refresh.
    private func updateCatalogue() {
        do {
            guard let endpoint = try command.service.service(in: environment).endpoint else { return }
            guard try mirror().isUpdateDue() else { return }
            let run = BackfillRun(
                store: try command.store(in: environment, for: .writing), endpoint: endpoint,
                limits: BackfillSettings(maximumTime: FeedMirror.longestUpdate), deadline: .seconds(120),
                author: command.recorded.author(in: environment, standard: "quakes.refresh"),
                format: command.reporting.format,
                global: command.global, environment: environment)
            _ = try run.run(.update, dryRun: false)
        } catch StoreError.backfilling {
            // The running backfill updates them.
        } catch {
            ErrorMessage(error).print(on: environment.standardError, command.global)
        }
    }

    private func mirror() throws -> FeedMirror {
        let transport = WatchedTransport(environment.transport, progress: progress, interrupt: interrupt)
        var mirror = FeedMirror(try command.store(in: environment, for: .creating), transport: transport)
        mirror.author = command.recorded.author(in: environment, standard: "quakes.refresh")
        mirror.endpoint = command.download.endpoint(in: environment)
        mirror.settings = try command.doubt.settings(in: environment)
        mirror.deadline = command.download.deadline
        mirror.patience = command.patience ?? .zero
        mirror.userAgent = Program.userAgent
        mirror.failureText = { ErrorMessage($0).what }
        (mirror.service, mirror.serviceScope) = try command.service.service(in: environment)
        return mirror
    }

    private func refresh(_ sources: [FeedSource], in session: RefreshSession) throws -> ExitStatus {
        var status = ExitStatus.success
        var total = RefreshTotal()
        let hasSeveralFiles = sources.count { !$0.isRemote } > 1
        var ordered = try sources.isEmpty ? [.summary(session.dueFeed())] : ReplayOrder.sorted(sources)
        var index = 0
        while index < ordered.count {
            let source = ordered[index]
            index += 1
            let endpoint = command.download.endpoint(in: environment)
            command.global.tell("reading \(source.address(at: endpoint))", in: environment)
            progress.begin(source.recordName(at: endpoint), index, of: ordered.count)
            do {
                let report = try apply(source, in: session)
                total.add(report)
                write(report, namesFile: hasSeveralFiles && !source.isRemote)
                endIfInterrupted(in: nil, of: session, left: ordered.count - index, total)
            } catch let error as FeedError {
                let message = ErrorMessage(error)
                endIfInterrupted(in: source, of: session, left: ordered.count - index, total)
                total.failed += 1
                if case .document(.badFeatures(let features), let name) = error { tell(features, of: name) }
                message.print(on: environment.standardError, command.global)
                write(message, source)
                if status == .success { status = message.status }
                // When the server cannot serve the scheduled feed, the next smaller one is tried.
                if sources.isEmpty, error.isOfThisFeedAlone, let feed = source.asked,
                    let next = RefreshSchedule.fallback(after: feed)
                {
                    ordered.append(.summary(next))
                }
            }
        }
        if hasSeveralFiles { reports.writeLine(total.line) }
        try reports.finish()
        return status
    }

    /// Applies `source`. What is written afterwards starts on a line of its own, also if this fails.
    private func apply(_ source: FeedSource, in session: RefreshSession) throws -> RefreshReport {
        defer { progress.erase() }
        return try session.refresh(source, dryRun: command.dryRun)
    }

    private func write(_ report: RefreshReport, namesFile: Bool) {
        tell(report.skipped, of: report.feed)
        if let fault = report.serviceFault, !(command.global.isQuiet && fault.isPause) {
            environment.standardError.writeLine(
                """
                quakes: \(report.feed): the event service was not asked about all missing quakes; the rest stays in \
                doubt. \(ErrorMessage(fault).what)
                """)
        }
        reports.write(report.line(namesFile: namesFile)) { report.write($0) }
    }

    /// Writes a record for a source that failed, for programs; people get the message.
    private func write(_ failure: ErrorMessage, _ source: FeedSource) {
        let endpoint = command.download.endpoint(in: environment)
        let record = FailedRefresh(
            feed: source.recordName(at: endpoint), source: source.address(at: endpoint), dryRun: command.dryRun,
            reason: failure.what)
        reports.writeRecord { record.write($0) }
    }

    private func tell(_ skipped: [SkippedFeature], of feed: String) {
        skipped.name(of: feed, namesAll: command.global.isVerbose, on: environment.standardError)
    }

    /// If Ctrl-C was pressed, says what was kept and ends the program as the signal does.
    private func endIfInterrupted(
        in source: FeedSource?, of session: RefreshSession, left: Int, _ total: RefreshTotal
    ) {
        guard let interrupt else { return }
        defer { interrupt.release() }
        guard interrupt.arrived != nil else { return }
        session.discardIfUnused()
        let name = source.map { $0.recordName(at: command.download.endpoint(in: environment)) }
        environment.standardError.writeLine(
            "quakes: " + InterruptWords(feed: name, applied: total.applied, left: left).text)
    }
}

extension FeedError {
    /// Whether the server asked to wait, which is not a failure: a later run asks again.
    fileprivate var isPause: Bool {
        if case .tryLater = self { true } else { false }
    }
}
