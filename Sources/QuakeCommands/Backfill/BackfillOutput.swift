import QuakeFeed
import QuakeHTTP
import QuakeMirror
import QuakeModel
import QuakeOutput
import Synchronization

/// What a backfill says: on a terminal a line that is drawn anew, in a log a line a minute, for programs a record for
/// each window.
final class BackfillOutput: Sendable {
    fileprivate struct State {
        var estimate: BackfillEstimate?
        var quakes = 0
        var windows = 0
        /// What was asked for last.
        var window: Range<Timestamp>?
        var start: ContinuousClock.Instant?
        var lastLine: ContinuousClock.Instant
        var reports: ReportOutput
    }

    private let isQuiet: Bool
    private let isVerbose: Bool
    private let standardError: StandardStream
    private let now: @Sendable () -> Timestamp
    private let progress: ProgressLine
    private let state: Mutex<State>

    init(format: ReportFormat, global: GlobalOptions, environment: CommandEnvironment, progress: ProgressLine) {
        isQuiet = global.isQuiet
        isVerbose = global.isVerbose
        self.progress = progress
        standardError = environment.standardError
        now = environment.now
        state = Mutex(
            State(
                lastLine: .now, reports: ReportOutput(environment.standardOutput, format, isQuiet: global.isQuiet)))
    }

    /// Shows how far the backfill is.
    func show(_ step: BackfillProgress) {
        switch step {
        case .counting: progress.retitle("asking how many quakes there are")
        case .expecting(let estimate):
            state.withLock { state in
                state.estimate = estimate
                state.start = .now
            }
            write(estimate)
        case .requesting(let window):
            state.withLock { $0.window = window }
            progress.retitle(title(window))
        case .applied(let window): add(window)
        // A window with too many quakes is halved as a matter of course; only a slow service is reported.
        case .halving(_, .status(400, _)), .halving(_, .status(413, _)): break
        case .halving(let window, let error): log("\(window.words): \(error.serviceWords). Trying half of it.")
        case .waiting(let moment, let error):
            let window = state.withLock { $0.window }.map { "\($0.words): " } ?? ""
            log("\(window)\(error.serviceWords). Trying again at \(moment.momentWords).")
        case .unclaimed(let window): say("\(window.originTimes.words): \(window.words)")
        case .received: break
        }
    }

    /// Says what the whole backfill of `request` did.
    func finish(_ report: BackfillReport, of request: BackfillRequest) throws {
        try state.withLock { state in
            state.reports.write(report.words(of: request)) { report.write($0) }
            try state.reports.finish()
        }
    }

    /// After a run that was stopped, says what it kept. Returns false if there was nothing to say.
    @discardableResult
    func sayWhatIsKept(_ opening: String?, of request: BackfillRequest, isSilent: Bool = false) -> Bool {
        progress.erase()
        let (windows, quakes) = state.withLock { ($0.windows, $0.quakes) }
        guard opening != nil || windows > 0 else { return false }
        let kept =
            windows == 0
            ? "Nothing came in this run."
            : "\(windows.counted("window")) with \(quakes.counted("quake")) \(windows == 1 ? "is" : "are") kept; "
                + "\(request.nextWords)."
        if !isSilent { standardError.writeLine("quakes: \(opening.map { "\($0) " } ?? "")\(kept)") }
        return windows > 0
    }

    private func write(_ estimate: BackfillEstimate) {
        progress.erase()
        state.withLock { $0.reports.write(estimate.words) { estimate.write($0) } }
    }

    private func add(_ window: BackfillWindow) {
        let line = state.withLock { state -> String? in
            state.quakes += window.features
            state.windows += 1
            state.reports.writeRecord { window.write($0) }
            guard !progress.isShown, !isQuiet, ContinuousClock.now - state.lastLine >= .seconds(60) else { return nil }
            state.lastLine = .now
            return state.words(upTo: window.originTimes.upperBound)
        }
        if let line { standardError.writeLine("quakes: \(line)") }
        guard !window.skipped.isEmpty else { return }
        progress.erase()
        window.skipped.name(of: window.originTimes.words, namesAll: isVerbose, on: standardError)
    }

    private func title(_ window: Range<Timestamp>) -> String {
        state.withLock { $0.words(upTo: window.lowerBound) }
    }

    private func log(_ text: String) {
        if !isQuiet { say(text) }
    }

    private func say(_ text: String) {
        progress.erase()
        standardError.writeLine("quakes: \(text)")
    }
}

extension BackfillOutput.State {
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

extension BackfillEstimate {
    /// `1990-01-01 to 2026-11-22: 301,234 quakes in about 19 requests, 201 MiB (22 MiB compressed), 3 to 8 min`; nil
    /// when nothing is to be asked for, or nothing of it was counted.
    var words: String? {
        guard let first = originTimes.map(\.lowerBound).min(), let last = originTimes.map(\.upperBound).max() else {
            return nil
        }
        let times = (first..<last).words
        let thing = isUpdate ? "change" : "quake"
        guard quakes > 0 else { return isComplete ? "\(times): no \(thing)s" : nil }
        let count = quakes.counted(thing) + (isComplete ? "" : " or more")
        let (least, most) = (duration.lowerBound.words, duration.upperBound.words)
        return
            "\(times): \(count) in about \(requests.counted("request")), \(bytes.byteWords) "
            + "(\(compressedBytes.byteWords) compressed), \(least == most ? least : "\(least) to \(most)")"
    }

    fileprivate func write(_ json: JSONWriter) {
        json.member("kind", "estimate")
        json.member("quakes", quakes)
        json.member("requests", requests)
        json.member("bytes", bytes)
        json.member("compressed_bytes", compressedBytes)
        json.array("origin_times") {
            for range in originTimes {
                json.object {
                    json.member("since", range.lowerBound)
                    json.member("until", range.upperBound)
                }
            }
        }
    }
}

extension BackfillWindow {
    fileprivate func write(_ json: JSONWriter) {
        json.member("kind", "window")
        json.member("since", originTimes.lowerBound)
        json.member("until", originTimes.upperBound)
        json.member("update", isUpdate)
        json.member("features", features)
        json.member("inserted", inserted)
        json.member("updated", updated)
        json.member("deleted", deleted)
        skipped.write(json)
        json.member("transaction", transaction)
    }
}

extension BackfillReport {
    /// `300,000 new, 1,200 changed, 34 deleted, in 19 windows`.
    fileprivate func words(of request: BackfillRequest) -> String {
        if estimate.originTimes.isEmpty {
            return request == .update
                ? "Nothing is held yet; the backfill that was interrupted goes on with the command that began it."
                : "The cache holds all of this already."
        }
        if dryRun { return "dry run: nothing was fetched" }
        if isComplete, unclaimed.isEmpty, inserted + updated + deleted + skipped == 0 {
            return "nothing new, in \(windows.counted("window"))"
        }
        var parts = ["\(inserted.grouped) new", "\(updated.grouped) changed", "\(deleted.grouped) deleted"]
        if skipped > 0 { parts.append("\(skipped.grouped) skipped") }
        let text = "\(parts.joined(separator: ", ")), in \(windows.counted("window"))"
        if !unclaimed.isEmpty { return "\(text); \(unclaimed.count.counted("window")) did not come whole" }
        return isComplete ? text : text + "; stopped before the end, \(request.nextWords)"
    }

    fileprivate func write(_ json: JSONWriter) {
        json.member("kind", "total")
        json.member("complete", isComplete)
        json.member("dry_run", dryRun)
        json.member("requests", requests)
        json.member("windows", windows)
        json.member("features", features)
        json.member("inserted", inserted)
        json.member("updated", updated)
        json.member("deleted", deleted)
        json.member("skipped", skipped)
        json.array("unclaimed") {
            for window in unclaimed { json.object { window.write(json) } }
        }
        json.member("token", token.description)
    }
}

extension UnclaimedWindow {
    /// `the service counted 500 and sent 0: not noted as held`.
    fileprivate var words: String {
        switch reason {
        case .short(let counted, let sent): "the service counted \(counted) and sent \(sent): not noted as held"
        case .old(let asOf): "the answer is as of \(asOf.secondWords) UTC: what is newer is not noted as held"
        }
    }

    fileprivate func write(_ json: JSONWriter) {
        json.member("since", originTimes.lowerBound)
        json.member("until", originTimes.upperBound)
        switch reason {
        case .short(let counted, let sent):
            json.member("counted", counted)
            json.member("sent", sent)
            json.nullMember("as_of")
        case .old(let asOf):
            json.nullMember("counted")
            json.nullMember("sent")
            json.member("as_of", asOf)
        }
    }
}

extension BackfillRequest {
    /// How a run that was stopped is continued.
    fileprivate var nextWords: String {
        switch self {
        case .part(_, again: false), .update: "the same command goes on from there"
        case .part(_, again: true), .again: "the same command begins again"
        }
    }
}

extension FeedError {
    /// What the event service did, as a clause.
    fileprivate var serviceWords: String {
        switch self {
        case .status(let status, _): "the service answered with status \(status)"
        case .tryLater(_, let status, _): "the service asked for a pause (status \(status))"
        case .transport(.deadlineExceeded(let seconds)): "no complete answer within \(Duration.seconds(seconds).words)"
        case .document(let error, _): "the answer is not valid: \(error.words)"
        default: ErrorMessage(self).what.trimmingFullStop
        }
    }
}

extension String {
    fileprivate var trimmingFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
