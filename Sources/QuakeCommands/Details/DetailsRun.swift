import Glibc
import QuakeFeed
import QuakeMirror
import QuakeModel
import QuakeOutput
import QuakeStore
import QuakeSystem
import Synchronization

/// One run of `quakes details`: tells people and programs what comes, how far it is, and what was kept.
final class DetailsRun: Sendable {
    private let mirror: FeedMirror
    private let global: GlobalOptions
    private let standardError: StandardStream
    private let progress: ProgressLine
    private let interrupt: HeldSignals?
    private let reports: Mutex<(output: ReportOutput, kept: Int)>

    init(
        store: QuakeCache, endpoint: EventEndpoint, deadline: Duration, format: ReportFormat, global: GlobalOptions,
        environment: CommandEnvironment
    ) {
        self.global = global
        standardError = environment.standardError
        let watches = standardError.isTerminal && !global.isQuiet
        progress = ProgressLine(standardError, isShown: watches && environment.variable("TERM") != "dumb")
        interrupt = watches ? HeldSignals([SIGINT]) : nil
        reports = Mutex((ReportOutput(environment.standardOutput, format, isQuiet: global.isQuiet), 0))
        var mirror = FeedMirror(store, transport: environment.transport)
        (mirror.service, mirror.deadline, mirror.userAgent) = (endpoint, deadline, Program.userAgent)
        self.mirror = mirror
    }

    /// Asks about the quakes under `keys`, or about those that were asked about before, and reports on it.
    func run(_ keys: [QuakeKey]?, again: Bool, limits: BackfillSettings, dryRun: Bool) throws -> ExitStatus {
        interrupt?.hold()
        defer { interrupt?.release() }
        let observer = MirrorObserver(
            report: { [self] in show($0) }, isCancelled: { [interrupt] in interrupt?.arrived != nil },
            describe: { ErrorMessage($0).what })
        do {
            defer { progress.erase() }
            let report = try mirror.fetchDetails(ofKeys: keys, again: again, limits: limits, dryRun: dryRun, observer)
            progress.erase()
            try reports.withLock { reports in
                reports.output.write(report.words(dryRun: dryRun)) { report.write($0, dryRun: dryRun) }
                try reports.output.finish()
            }
            return report.failures.first.map { ErrorMessage($0).status } ?? .success
        } catch {
            let kept = reports.withLock { $0.kept }
            let words = "Saved \(kept.counted("quake")); rerun to resume."
            if error is CancellationError {
                standardError.writeLine("quakes: Interrupted. \(kept > 0 ? words : "Nothing was fetched.")")
                interrupt?.release()
                return .failure
            }
            guard kept > 0 else { throw error }
            if !(global.isQuiet && ErrorMessage(error).status == .tryLater) {
                standardError.writeLine("quakes: \(words)")
            }
            throw CommandError.stoppedHalfway(error)
        }
    }

    private func show(_ step: MirrorProgress) {
        switch step {
        case .received(let download): progress.show(download)
        case .details(let id, let index, let count):
            progress.retitle(count > 1 ? "\(index + 1) of \(count), \(id)" : id)
        case .pausing(let moment, let error): tell("\(ErrorMessage(error).what) Retrying at \(moment.momentWords).")
        case .answered(let detail):
            reports.withLock { reports in
                if case .kept = detail.outcome { reports.kept += 1 }
                reports.output.writeRecord { detail.write($0) }
            }
            if let trouble = detail.outcome.trouble { tell("\(detail.id): \(trouble)") }
            if case .kept(_, let skipped) = detail.outcome, !skipped.isEmpty {
                progress.erase()
                skipped.name(of: detail.id, namesMore: global.isVerbose, on: standardError, thing: "version")
            }
        default: break
        }
    }

    private func tell(_ text: String) {
        guard !global.isQuiet else { return }
        progress.erase()
        standardError.writeLine("quakes: \(text)")
    }
}

extension DetailsReport {
    /// `3 quakes: 27 versions of origins, 40 of moment tensors and focal mechanisms`.
    fileprivate func words(dryRun: Bool) -> String {
        let left = unchanged == 0 ? "" : "; \(unchanged.counted("quake")) unchanged since last time"
        if quakes == 0 { return unchanged == 0 ? "No quake in the cache matches." : "Nothing to fetch\(left)." }
        if dryRun {
            // The service takes one to three seconds for an answer of one or two megabytes.
            let (least, most) = (max(pause, .seconds(1)) * quakes, max(pause, .seconds(3)) * quakes)
            return "dry run: \(quakes.counted("request")), about \((quakes << 20).byteWords), "
                + "\(least.words) to \(most.words)\(left)"
        }
        var parts = [
            "\(kept.counted("quake")): \((versions[.origins] ?? 0).counted("version")) of origins, "
                + "\((versions[.mechanisms] ?? 0).grouped) of moment tensors and focal mechanisms"
        ]
        if missing > 0 { parts.append("\(missing.counted("quake")) unknown to the event service") }
        if !failures.isEmpty { parts.append("\(failures.count.counted("response")) invalid") }
        let end = isComplete ? "" : "; stopped early, rerun to resume"
        return parts.joined(separator: ", ") + left + end
    }

    fileprivate func write(_ json: JSONWriter, dryRun: Bool) {
        json.member("kind", "detail-total")
        json.member("complete", isComplete)
        json.member("dry_run", dryRun)
        json.member("quakes", quakes)
        json.member("unchanged", unchanged)
        json.member("requests", requests)
        json.member("kept", kept)
        json.member("missing", missing)
        json.member("failed", failures.count)
        for kind in SolutionKind.allCases { json.member(kind.rawValue, versions[kind] ?? 0) }
    }
}

extension QuakeDetail {
    fileprivate func write(_ json: JSONWriter) {
        json.member("kind", "detail")
        json.member("id", id)
        json.member("outcome", outcome.name)
        var (counts, skipped): ([SolutionKind: Int]?, [SkippedFeature]) = (nil, [])
        if case .kept(let kept, let left) = outcome { (counts, skipped) = (kept, left) }
        for kind in SolutionKind.allCases { json.member(kind.rawValue, counts.map { $0[kind] ?? 0 }) }
        skipped.write(json)
        if case .failed = outcome { json.member("error", outcome.trouble) } else { json.nullMember("error") }
    }
}

extension QuakeDetail.Outcome {
    fileprivate var name: String {
        switch self {
        case .kept: "kept"
        case .deleted: "deleted"
        case .unknown: "unknown"
        case .gone: "gone"
        case .failed: "failed"
        }
    }

    /// What people should know about it.
    fileprivate var trouble: String? {
        switch self {
        case .kept: nil
        case .deleted: "The event service has deleted this quake."
        case .unknown: "The event service does not know this quake."
        case .gone: "The quake has since been deleted from the cache."
        case .failed(let error): ErrorMessage(error).what
        }
    }
}
