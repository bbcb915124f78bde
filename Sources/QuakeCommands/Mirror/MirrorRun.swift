import Glibc
import QuakeMirror
import QuakeSystem

/// One run of `quakes refresh`, `backfill` or `details`. If it shows progress on a terminal, Ctrl-C stops the work, and
/// the run reports what was saved before it ends.
struct MirrorRun {
    /// Receives the steps of the run.
    let observer: MirrorObserver
    let steps: MirrorReporter
    let reporter: Reporter
    private let environment: CommandEnvironment
    private let path: String
    private let interrupt: HeldSignals?

    init(
        _ mirror: FeedMirror, dryRun: Bool, format: ReportOptions.Format, _ global: GlobalOptions,
        _ environment: CommandEnvironment
    ) {
        self.environment = environment
        path = mirror.cache.path
        let reporter = Reporter(environment, global, format)
        let steps = MirrorReporter(mirror, dryRun: dryRun, reporter, global, environment)
        let interrupt = reporter.showsProgress ? HeldSignals([SIGINT]) : nil
        self.reporter = reporter
        self.steps = steps
        self.interrupt = interrupt
        observer = MirrorObserver(
            report: { step in
                // Ctrl-C is held only from the first step on. Before then, it ends the program immediately.
                interrupt?.hold()
                steps.show(step)
            }, isCancelled: { interrupt?.arrived != nil })
    }

    /// Runs `body`, which passes ``observer`` to the mirror. If the run is stopped, reports what was saved. Throws if a
    /// report could not be written.
    func perform(_ body: () throws -> ExitStatus) throws -> ExitStatus {
        // On return, a Ctrl-C that was held takes effect: it ends the program.
        defer { interrupt?.release() }
        // Report a new cache at an unusual path: the path may be mistyped, or its disk not mounted.
        let isUnexpected = access(path, F_OK) != 0 && path != GlobalOptions.userDatabasePath(in: environment)
        defer {
            if isUnexpected, access(path, F_OK) == 0 { reporter.writeLine("quakes: created a new cache: \(path)") }
        }
        do {
            defer { reporter.eraseProgress() }
            let status = try body()
            try reporter.finish()
            return status
        } catch is CancellationError {
            reporter.remark("Interrupted\(steps.saved.map { " after saving \($0)" } ?? "; nothing was saved").")
            return .failure
        } catch {
            if let saved = steps.saved { reporter.remark("Stopped after saving \(saved).") }
            throw error
        }
    }
}
