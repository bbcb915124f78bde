import Glibc
import QuakeFeed
import QuakeHTTP
import QuakeMirror
import QuakeModel
import QuakeOutput
import QuakeStore
import QuakeSystem
import Synchronization

/// One run of a backfill: tells people and programs what comes, how far it is, and what was kept.
final class BackfillRun: Sendable {
    private let store: QuakeCache
    private let endpoint: EventEndpoint
    private let limits: BackfillSettings
    private let deadline: Duration
    private let author: String
    private let isQuiet: Bool
    private let environment: CommandEnvironment
    private let output: BackfillOutput
    private let progress: ProgressLine
    private let interrupt: HeldSignals?

    init(
        store: QuakeCache, endpoint: EventEndpoint, limits: BackfillSettings, deadline: Duration, author: String,
        format: ReportFormat, global: GlobalOptions, environment: CommandEnvironment
    ) {
        self.store = store
        self.endpoint = endpoint
        self.limits = limits
        self.deadline = deadline
        self.author = author
        self.environment = environment
        isQuiet = global.isQuiet
        let watches = environment.standardError.isTerminal && !global.isQuiet
        progress = ProgressLine(environment.standardError, isShown: watches && environment.variable("TERM") != "dumb")
        interrupt = watches ? HeldSignals([SIGINT]) : nil
        output = BackfillOutput(
            format: format, global: global, environment: environment, progress: progress)
    }

    /// Runs `request` and reports on it.
    func run(_ request: BackfillRequest, dryRun: Bool) throws -> ExitStatus {
        let transport = WatchedTransport(environment.transport, progress: progress, interrupt: interrupt)
        var mirror = FeedMirror(store, transport: transport)
        mirror.author = author
        mirror.service = endpoint
        mirror.deadline = deadline
        mirror.userAgent = Program.userAgent
        interrupt?.hold()
        defer { interrupt?.release() }
        let observer = MirrorObserver<BackfillProgress>(
            report: { [output] in output.show($0) }, isCancelled: { [interrupt] in interrupt?.arrived != nil },
            describe: { ErrorMessage($0).what })
        do {
            defer { progress.erase() }
            let report = try mirror.backfill(request, limits: limits, dryRun: dryRun, observer)
            progress.erase()
            try output.finish(report, of: request)
            return report.unclaimed.isEmpty ? .success : .serverUnavailable
        } catch is CancellationError {
            output.sayWhatIsKept("Interrupted.", of: request)
            interrupt?.release()
            return .failure
        } catch {
            let isPause = ErrorMessage(error).status == .tryLater
            let hasKept = output.sayWhatIsKept(nil, of: request, isSilent: isQuiet && isPause)
            throw hasKept ? CommandError.stoppedHalfway(error) : error
        }
    }
}
