import Glibc
import QuakeModel
import QuakeOutput
import QuakeStore
import QuakeSystem

/// One run of `quakes watch`: polls the feeds, and delivers what changed, until a signal.
final class WatchRun {
    private let changes: ChangesCommand
    private let refresher: WatchRefresher
    private let environment: CommandEnvironment
    private let signals = HeldSignals([SIGINT, SIGTERM, SIGHUP])
    private let clock = ContinuousClock()
    /// What to say when a delivery succeeds; nil unless the last one failed.
    private var recovery: String?

    init(_ changes: ChangesCommand, _ refresher: WatchRefresher, _ environment: CommandEnvironment) {
        (self.changes, self.refresher, self.environment) = (changes, refresher, environment)
    }

    func run() throws -> ExitStatus {
        defer { refresher.erase() }
        do {
            let display = try changes.displayStyle(in: environment)
            let position: ReadPosition =
                changes.start.consumer.map { .consumer($0, isKept: true) } ?? .memory(RememberedPlace())
            signals.hold()
            guard try waitForCache() else { return .success }
            if changes.delivery.follows {
                return try FollowRun(
                    command: changes, position: position, display: display, environment: environment,
                    refresher: refresher
                ).run()
            }
            return try deliver(display, position)
        } catch let fatal as WatchRefresher.Fatal { return fatal.status }
    }

    /// Refreshes until there is a cache. False after a signal.
    private func waitForCache() throws -> Bool {
        while true {
            try refresher.tick()
            do {
                _ = try changes.store(in: environment, for: .reading).context(author: "quakes", access: .reading)
                return true
            } catch StoreError.noCache, StoreError.busy {}
            if signals.wait(upTo: HistoryFollower.interval) { return false }
        }
    }

    private func deliver(_ display: DisplayStyle, _ position: ReadPosition) throws -> ExitStatus {
        let follower = try HistoryFollower(changes.store(in: environment, for: .reading), access: position.access)
        var retry: ContinuousClock.Instant? = clock.now
        while !signals.wait(upTo: HistoryFollower.interval) {
            try refresher.tick()
            let hasNews = try follower.hasNews()
            guard hasNews || retry.map({ clock.now >= $0 }) ?? false else { continue }
            retry = try deliverOnce(display, position, follower.context).map { clock.now + $0 }
        }
        return .success
    }

    /// After what time to try again without news; nil where everything was delivered. A failure is reported once.
    private func deliverOnce(
        _ display: DisplayStyle, _ position: ReadPosition, _ context: QuakeContext
    ) throws -> Duration? {
        do {
            do {
                let start = try position.start(in: context, now: environment.now(), startsNow: true)
                try changes.deliver(from: start, position, display, environment, context) { [refresher] in
                    refresher.tick(whileCommandRunsFor: $0, $1)
                }
            } catch StoreError.token {
                refresher.say("quakes: \(try position.resume(in: context).words)")
                return try deliverOnce(display, position, context)
            }
            if let recovery { refresher.say(recovery) }
            recovery = nil
            return nil
        } catch CommandError.neverFilled {
            // The first refresh of a new cache has yet to succeed.
            return .zero
        } catch StoreError.replaced {
            // The file that takes its place is news.
            return nil
        } catch let error as CommandError {
            if case .positionNotSaved = error {
                fail(error, recovery: "The cache can be written again.")
            } else {
                fail(error, recovery: "The command succeeds again.")
            }
            return .seconds(60)
        } catch let error as StoreError where error.mayPass {
            fail(error, recovery: "The cache can be used again.")
            return .seconds(60)
        }
    }

    private func fail(_ error: any Error, recovery: String) {
        guard self.recovery == nil else { return }
        refresher.say(ErrorMessage(error).text)
        self.recovery = "quakes: " + recovery
    }
}
