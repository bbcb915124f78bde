import QuakeMirror
import Synchronization

/// Follows the steps of a refresh, a backfill or a details run, and reports the notable ones to people and programs
/// through a ``Reporter``.
final class MirrorSteps: Sendable {
    fileprivate struct State {
        /// The work in progress.
        var title = ""
        var estimate: BackfillEstimate?
        var fetching = ContinuousClock.now
        var quakes = 0
        /// The number of documents, windows or responses that the run has saved.
        var saved = 0
    }

    private let reporter: Reporter
    private let isVerbose: Bool
    private let state = Mutex(State())

    init(_ reporter: Reporter, isVerbose: Bool) { (self.reporter, self.isVerbose) = (reporter, isVerbose) }

    var saved: Int { state.withLock(\.saved) }

    /// Begins the work called `title`, which is item `index` of `count`.
    func begin(_ title: String, _ index: Int = 1, of count: Int = 1) {
        let title = count > 1 ? "\(index) of \(count), \(title)" : title
        state.withLock { $0.title = title }
        reporter.progress(title)
    }

    func show(_ step: MirrorProgress) {
        switch step {
        case .asking, .requesting(_, originTimes: nil): break
        case .received(let download): reporter.progress("\(state.withLock(\.title)): \(download.words)")
        case .applying: reporter.progress("\(state.withLock(\.title)): applying")
        case .counting: begin("counting quakes")
        case .expecting(let estimate):
            state.withLock { ($0.estimate, $0.fetching) = (estimate, .now) }
            reporter.report(estimate.words, estimate.record)
        case .requesting(_, let window?): begin(state.withLock { $0.words(upTo: window.lowerBound) })
        case .applied(let report):
            guard let window = report.window else { return }
            state.withLock { ($0.saved, $0.quakes) = ($0.saved + 1, $0.quakes + window.quakes) }
            reporter.report(nil, report.record(window))
            name(report.skipped, of: window.originTimes.words)
        // Halving a window with too many quakes is routine, so only other causes are reported.
        case .halving(_, .status(400, _)), .halving(_, .status(413, _)): break
        case .halving(let window, let error):
            reporter.remark("\(window.words): \(CommandError(error).what) Retrying in two halves.")
        case .pausing(let moment, let error):
            reporter.remark("\(CommandError(error).what) Retrying at \(moment.momentWords).")
        case .incomplete(let window): reporter.say("quakes: \(window.originTimes.words): \(window.words)")
        case .details(let id, let index, let count): begin(id, index + 1, of: count)
        case .answered(let detail):
            if case .stored(_, let skipped) = detail.outcome {
                state.withLock { $0.saved += 1 }
                name(skipped, of: detail.id)
            }
            reporter.report(nil, detail.record)
            if let trouble = detail.trouble { reporter.remark("\(detail.id): \(trouble)") }
        }
    }

    /// Reports the effect of a document that the refresh has read.
    func show(_ report: RefreshReport) {
        state.withLock { $0.saved += 1 }
        name(report.skipped, of: report.feed)
        if let fault = report.serviceError {
            let words =
                "\(report.feed): some missing quakes could not be checked with the event service and remain "
                + "unconfirmed. \(CommandError(fault).what)"
            // A server's request to wait is not a failure; a later run tries again.
            if case .tryLater = fault { reporter.remark(words) } else { reporter.say("quakes: \(words)") }
        }
        reporter.report(report.line, report.record)
    }

    /// Names the first unreadable features of a document, and counts the rest.
    func name(_ skipped: [SkippedFeature], of document: String) {
        let named = skipped.prefix(isVerbose ? SkippedFeature.mostNamed : 5)
        for feature in named { reporter.say("quakes: \(document): skipped \(feature.words)") }
        let rest = skipped.count - named.count
        if rest > 0 { reporter.say("quakes: \(document): skipped \(rest.grouped) more") }
    }
}

extension MirrorSteps.State {
    /// `48,000 of 301,234 quakes, up to 1999-03-02, 4 min left`.
    fileprivate func words(upTo moment: Timestamp) -> String {
        let (end, rest) = (", up to \(moment.dayWords)", (estimate?.quakes ?? 0) - quakes)
        guard rest > 0, quakes > 0 else { return quakes.counted("quake") + end }
        let left = (ContinuousClock.now - fetching) * (Double(rest) / Double(quakes))
        return "\(quakes.grouped) of \((quakes + rest).grouped) quakes\(end), \(left.words) left"
    }
}

extension DownloadProgress {
    /// `3.2 MiB of 10 MiB`.
    fileprivate var words: String {
        receivedBytes > 0
            ? receivedBytes.byteWords + (expectedBytes.map { " of \($0.byteWords)" } ?? "") : "waiting for the server"
    }
}
