import QuakeMirror
import Synchronization

/// Reports a refresh, a backfill or a run of `quakes details`: its notable steps and what it saved, as text or records.
final class MirrorReporter: Sendable {
    fileprivate struct State {
        /// The title of the current step, for the progress line.
        var title = ""
        var estimate: BackfillEstimate?
        var fetching = ContinuousClock.now
        var quakes = 0
        /// The numbers of documents, windows and detail responses saved by the run.
        var feeds = 0
        var windows = 0
        var details = 0
        /// The status of an error of the cache in a daily request, such as a full disk.
        var failure = ExitStatus.success
    }

    private let mirror: FeedMirror
    private let isDryRun: Bool
    private let reporter: Reporter
    private let global: GlobalOptions
    private let environment: CommandEnvironment
    private let state = Mutex(State())

    init(
        _ mirror: FeedMirror, dryRun: Bool, _ reporter: Reporter, _ global: GlobalOptions,
        _ environment: CommandEnvironment
    ) {
        self.mirror = mirror
        isDryRun = dryRun
        self.reporter = reporter
        self.global = global
        self.environment = environment
    }

    /// The status of a run whose feeds were all read.
    var failure: ExitStatus { state.withLock(\.failure) }

    /// What the run has saved: `1 feed and 3 batches`; nil if nothing.
    var saved: String? {
        let counts = state.withLock {
            [
                ($0.feeds, $0.feeds.counted("feed")), ($0.windows, $0.windows.batchWords),
                ($0.details, $0.details.counted("quake")),
            ]
        }
        let words = counts.filter { $0.0 > 0 }.map(\.1)
        return words.isEmpty ? nil : words.joined(separator: " and ")
    }

    /// Reports that `source`, item `index` of `count`, is about to be read.
    func begin(_ source: FeedSource, _ index: Int = 1, of count: Int = 1) {
        if global.isVerbose { reporter.writeLine("quakes: reading \(source.shownURL(at: mirror.endpoint))") }
        begin(source.feedRecordName(at: mirror.endpoint), index, of: count)
    }

    /// Shows the step `title`, item `index` of `count`, as progress.
    func begin(_ title: String, _ index: Int = 1, of count: Int = 1) {
        let title = count > 1 ? "\(index) of \(count), \(title)" : title
        state.withLock { $0.title = title }
        reporter.progress(title)
    }

    func show(_ step: MirrorProgress) {
        switch step {
        case .reading(let feed): begin(.summary(feed))
        case .read(let report): show(report)
        case .failed(let feed, let error): show(error, of: .summary(feed), namesSource: false)
        case .dailyRequest(.catalogUpdate(let report)): show(report, isUpdate: true)
        case .dailyRequest(.deletions(let report)): showDeletions(report)
        case .dailyRequestFailed(.service(let error)): showStop(because: error)
        case .dailyRequestFailed(.cache(let error)):
            let status = CommandError(error).status
            if status != .tryLater { state.withLock { $0.failure = status } }
            showStop(because: error)
        case .asking, .requesting(_, originTimes: nil): break
        case .received(let download): reporter.progress("\(state.withLock(\.title)): \(download.words)")
        case .applying: reporter.progress("\(state.withLock(\.title)): applying")
        case .counting: begin("counting quakes")
        case .expecting(let report):
            state.withLock { state in
                state.estimate = report.estimate
                state.fetching = .now
            }
            reporter.report(report.estimate.words, report.estimate.record)
        case .requesting(_, let window?): begin(state.withLock { $0.words(upTo: window.lowerBound) })
        case .applied(let report):
            guard let window = report.window else { return }
            state.withLock { state in
                state.windows += 1
                state.quakes += window.quakes
            }
            reporter.report(nil, report.record(window))
            reportSkipped(report.skipped, of: window.originTimes.words)
        // A window with too many quakes is halved routinely, so report other causes only.
        case .halving(_, .status(400, _)), .halving(_, .status(413, _)): break
        case .halving(let window, let error):
            reporter.remark("\(window.words): \(CommandError(error).what) Retrying in two halves.")
        case .pausing(let moment, let error):
            reporter.remark("\(CommandError(error).what) Retrying at \(moment.momentWords).")
        case .incomplete(let window): reporter.writeLine("quakes: \(window.originTimes.words): \(window.words)")
        case .details(let id, let index, let count): begin(id, index + 1, of: count)
        case .answered(let detail):
            if case .stored(_, let skipped) = detail.outcome {
                state.withLock { $0.details += 1 }
                reportSkipped(skipped, of: detail.id)
            }
            reporter.report(nil, detail.record)
            if let interruption = detail.problem { reporter.remark("\(detail.id): \(interruption)") }
        }
    }

    /// Reports what a document has changed.
    func show(_ report: RefreshReport) {
        state.withLock { $0.feeds += 1 }
        reportSkipped(report.skipped, of: report.source.contains("://") ? report.feed : report.source)
        showServiceError(report)
        reporter.report(report.line, report.record)
    }

    /// Reports the deletions listed by the event service, and how many ids were checked with the service one by one.
    private func showDeletions(_ report: RefreshReport) {
        showServiceError(report)
        reporter.report(report.deletionsLine, report.record)
    }

    private func showServiceError(_ report: RefreshReport) {
        guard let fault = report.serviceError else { return }
        let words =
            "\(report.feed): some missing quakes could not be checked with the event service and remain "
            + "unconfirmed. \(CommandError(fault).what)"
        // A server that asks clients to wait has not failed; a later run tries again.
        if case .tryLater = fault { reporter.remark(words) } else { reporter.writeLine("quakes: \(words)") }
    }

    /// Reports that `source` could not be read. If `namesSource` is true, the message always names the source.
    func show(_ error: FeedError, of source: FeedSource, namesSource: Bool) {
        let name = source.feedRecordName(at: mirror.endpoint)
        let address = source.shownURL(at: mirror.endpoint)
        reporter.eraseProgress()
        var message = CommandError(error)
        // The message of a transport error does not name the feed.
        if namesSource, case .transport = error { message.what = "\(name): \(message.what)" }
        if case .document(let fault, let document) = error {
            reportSkipped(fault.skipped, of: document, verb: "cannot read")
        }
        message.print(on: environment.standardError, global, hasLasted: lacksSuccess)
        let record = RefreshReport.record(feed: name, source: address, dryRun: isDryRun, nil, error: message.what)
        reporter.report(nil, record)
    }

    /// Reports the result of a backfill. For an update, also reports the parts that are still missing.
    func show(_ report: BackfillReport, isUpdate: Bool) {
        reporter.report(report.words, report.record)
        guard isUpdate else { return }
        let day = environment.now() - .seconds(86_400)
        let coverage = try? QuakeContext(mirror.cache, access: .reading).sources.coverage()
        for part in coverage?.missing(until: day) ?? [] {
            reporter.remark("the backfill is not finished (\(part.words)); the next update will resume it")
        }
    }

    /// Reports the error that stopped the daily request, and how many batches were saved before.
    private func showStop(because error: any Error) {
        let windows = state.withLock(\.windows)
        if windows > 0 { reporter.remark("Stopped after saving \(windows.batchWords).") }
        print(error)
    }

    /// Reports an error that does not end the program.
    func print(_ error: any Error) {
        reporter.eraseProgress()
        CommandError(error).print(on: environment.standardError, global, hasLasted: lacksSuccess)
    }

    /// Whether no feed has been read successfully in the last hour.
    private var lacksSuccess: Bool {
        let feeds = try? QuakeContext(mirror.cache, access: .reading).sources.feeds()
        let last = feeds?.compactMap(\.lastSuccess).max()
        return last.map { environment.now() - $0 >= .seconds(3600) } ?? true
    }

    /// Reports the first unreadable features of a document, and the number of others.
    func reportSkipped(_ skipped: [SkippedFeature], of document: String, verb: String = "skipped") {
        let named = skipped.prefix(global.isVerbose ? SkippedFeature.maximumNamed : 5)
        for feature in named { reporter.writeLine("quakes: \(document): \(verb) \(feature.words)") }
        let rest = skipped.count - named.count
        if rest > 0 { reporter.writeLine("quakes: \(document): \(verb) \(rest.grouped) more") }
    }
}

extension MirrorReporter.State {
    /// `48,000 of 301,234 quakes, up to 1999-03-02, 4 min left`.
    fileprivate func words(upTo moment: Timestamp) -> String {
        let end = ", up to \(moment.dayWords)"
        let rest = (estimate?.quakes ?? 0) - quakes
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
