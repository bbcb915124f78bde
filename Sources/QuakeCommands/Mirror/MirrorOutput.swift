import QuakeMirror
import Synchronization

/// What a refresh or a backfill says: a line or a record for each feed, a progress line, and a record for each window.
final class MirrorOutput: Sendable {
    fileprivate struct State {
        var estimate: BackfillEstimate?
        var quakes = 0
        var windows = 0
        var asksForDetails = false
        /// What was asked for last.
        var window: Range<Timestamp>?
        var start: ContinuousClock.Instant?
        var lastLine = ContinuousClock.now
        let reports: ReportOutput
    }

    private let global: GlobalOptions
    private let standardError: StandardStream
    private let progress: ProgressLine
    private let state: Mutex<State>

    init(format: ReportFormat, global: GlobalOptions, environment: CommandEnvironment, progress: ProgressLine) {
        (self.global, self.progress, standardError) = (global, progress, environment.standardError)
        state = Mutex(State(reports: ReportOutput(environment.standardOutput, format, isQuiet: global.isQuiet)))
    }

    func show(_ step: MirrorProgress) {
        switch step {
        case .asking, .requesting(_, originTimes: nil): break
        case .received(let download): progress.show(download)
        case .applying: progress.showApplying()
        case .counting: progress.retitle("counting quakes")
        case .expecting(let estimate):
            progress.erase()
            state.withLock { state in
                (state.estimate, state.start) = (estimate, .now)
                state.reports.write(estimate.words, estimate.record)
            }
        case .requesting(_, let window?):
            let title = state.withLock { state in
                state.window = window
                return state.words(upTo: window.lowerBound)
            }
            progress.retitle(title)
        case .applied(let report): if let window = report.window { add(report, window) }
        // A window with too many quakes is halved as a matter of course; only a slow service is reported.
        case .halving(_, .status(400, _)), .halving(_, .status(413, _)): break
        case .halving(let window, let error): log("\(window.words): \(error.serviceWords). Retrying with half of it.")
        case .pausing(let moment, let error):
            let (window, asksForDetails) = state.withLock { ($0.window, $0.asksForDetails) }
            let what = asksForDetails ? ErrorMessage(error).what : "\(error.serviceWords)."
            log("\(window.map { "\($0.words): " } ?? "")\(what) Retrying at \(moment.momentWords).")
        case .unclaimed(let window): say("\(window.originTimes.words): \(window.words)")
        case .details(let id, let index, let count):
            state.withLock { $0.asksForDetails = true }
            progress.retitle(count > 1 ? "\(index + 1) of \(count), \(id)" : id)
        case .answered(let detail): add(detail)
        }
    }

    /// Says what a feed did.
    ///
    /// - Parameter namesFile: start with the path of the file, which tells several of one feed apart.
    func write(_ report: RefreshReport, namesFile: Bool) {
        report.skipped.name(of: report.feed, namesMore: global.isVerbose, on: standardError)
        if let fault = report.serviceFault, !(global.isQuiet && fault.isPause) {
            say(
                """
                \(report.feed): not all missing quakes could be checked with the event service; the rest remain \
                unconfirmed. \(ErrorMessage(fault).what)
                """)
        }
        state.withLock { $0.reports.write(report.line(namesFile: namesFile), report.record) }
    }

    /// Writes a record for a feed that failed, for programs; people get the message.
    func writeFailure(_ record: Record) { state.withLock { $0.reports.writeRecord(record) } }

    /// Says what all feeds did, if there is a `total`.
    func finish(_ total: RefreshTotal?) throws {
        try state.withLock { state in
            if let total { state.reports.writeLine(total.line) }
            try state.reports.finish()
        }
    }

    /// Says what a whole backfill, or `quakes details`, did.
    func finish(_ line: String, _ record: Record) throws {
        progress.erase()
        try state.withLock { state in
            state.reports.write(line, record)
            try state.reports.finish()
        }
    }

    /// After a run that was stopped, says what it kept; without a `request`, of details. Returns whether that is
    /// anything.
    @discardableResult
    func sayWhatIsKept(_ opening: String?, of request: BackfillRequest?, isSilent: Bool = false) -> Bool {
        let (windows, quakes) = state.withLock { ($0.windows, $0.quakes) }
        let keepsAny = request == nil ? quakes > 0 : windows > 0
        guard opening != nil || keepsAny else { return false }
        let kept =
            request.map { "\(windows.counted("window")) with \(quakes.counted("quake")) saved; \($0.nextWords)." }
            ?? "Saved \(quakes.counted("quake")); rerun to resume."
        if !isSilent { say((opening.map { "\($0) " } ?? "") + (keepsAny ? kept : "Nothing was fetched.")) }
        return keepsAny
    }

    private func add(_ report: RefreshReport, _ window: BackfillWindow) {
        let line = state.withLock { state -> String? in
            state.quakes += window.quakes
            state.windows += 1
            state.reports.writeRecord(report.record(window))
            guard !progress.isShown, !global.isQuiet, ContinuousClock.now - state.lastLine >= .seconds(60) else {
                return nil
            }
            state.lastLine = .now
            return state.words(upTo: window.originTimes.upperBound)
        }
        if let line { standardError.writeLine("quakes: \(line)") }
        guard !report.skipped.isEmpty else { return }
        progress.erase()
        report.skipped.name(of: window.originTimes.words, namesMore: global.isVerbose, on: standardError)
    }

    private func add(_ detail: QuakeDetail) {
        state.withLock { state in
            if case .kept = detail.outcome { state.quakes += 1 }
            state.reports.writeRecord(detail.record)
        }
        if let trouble = detail.outcome.trouble { log("\(detail.id): \(trouble)") }
        if case .kept(_, let skipped) = detail.outcome, !skipped.isEmpty {
            progress.erase()
            skipped.name(of: detail.id, namesMore: global.isVerbose, on: standardError, thing: "version")
        }
    }

    private func log(_ text: String) { if !global.isQuiet { say(text) } }

    private func say(_ text: String) {
        progress.erase()
        standardError.writeLine("quakes: \(text)")
    }
}

extension MirrorOutput.State {
    /// `48,000 of 301,234 quakes, up to 1999-03-02, 1,200 a second, 4 min left`.
    fileprivate func words(upTo moment: Timestamp) -> String {
        let expected = estimate?.quakes ?? 0
        var parts = [
            expected > quakes ? "\(quakes.grouped) of \(expected.grouped) quakes" : quakes.counted("quake"),
            "up to \(moment.dayWords)",
        ]
        let seconds = start.map { (ContinuousClock.now - $0) / .seconds(1) } ?? 0
        if quakes > 0, seconds > 0 {
            let rate = Double(quakes) / seconds
            parts.append("\(Int(rate).grouped) a second")
            if expected > quakes {
                parts.append("\(Duration.seconds((Double(expected - quakes) / rate).rounded(.up)).words) left")
            }
        }
        return parts.joined(separator: ", ")
    }
}

extension FeedError {
    /// Whether the server asked to wait, which is not a failure: a later run asks again.
    fileprivate var isPause: Bool {
        if case .tryLater = self { true } else { false }
    }
}
