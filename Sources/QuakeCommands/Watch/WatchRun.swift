import QuakeStore
import QuakeSystem

/// One run of `quakes watch`, which polls the feeds and delivers changes until a signal arrives.
final class WatchRun {
    private let changes: ChangesCommand
    private let refresher: WatchRefresher
    private let environment: CommandEnvironment
    private let signals = HeldSignals()
    private let clock = ContinuousClock()
    private let trouble: Trouble

    init(_ changes: ChangesCommand, _ refresher: WatchRefresher, _ environment: CommandEnvironment) {
        (self.changes, self.refresher, self.environment) = (changes, refresher, environment)
        trouble = Trouble(refresher.reporter)
    }

    func run() throws -> ExitStatus {
        defer { refresher.reporter.erase() }
        do {
            let display = try changes.displayStyle(in: environment)
            let position: ReadPosition =
                changes.start.consumer.map { .consumer($0, isKept: true) } ?? .memory(RememberedPosition())
            let run = ChangesRun(
                command: changes, position: position, display: display, environment: environment,
                reporter: refresher.reporter)
            signals.hold()
            guard try waitForCache() else { return .success }
            if changes.delivery.follows { return try FollowRun(run, refresher: refresher).run() }
            return try deliver(run)
        } catch let fatal as WatchRefresher.Fatal { return fatal.status }
    }

    /// Checks the filters, then refreshes until there is a cache. The refresher reports a full disk. Returns false
    /// after a signal.
    private func waitForCache() throws -> Bool {
        var isChecked = false
        while true {
            do {
                let context = try changes.store(in: environment, for: .reading).context(access: .reading)
                if !isChecked { try changes.check(context, in: environment) }
                return true
            } catch StoreError.noCache {
                if !isChecked { try changes.check(nil, in: environment) }
                isChecked = true
            } catch StoreError.busy, StoreError.diskFull {}
            try refresher.tick()
            if signals.wait(upTo: HistoryFollower.interval) { return false }
        }
    }

    private func deliver(_ run: ChangesRun) throws -> ExitStatus {
        let cache = try changes.store(in: environment, for: .reading)
        let lock = ReaderLock(run.position, cacheAt: cache.path)
        guard try lock.wait(refresher.reporter, pause: pause) else { return .success }
        defer { lock.release() }
        let follower = HistoryFollower(cache, access: run.position.access)
        var retry = clock.now
        while try pause() {
            do {
                try follower.news(orElse: clock.now >= retry) { context in
                    retry = try clock.now + deliverOnce(run, context)
                }
            } catch let error as StoreError where error.mayPass {
                trouble.begin(CommandError(error).text)
                retry = clock.now
            }
        }
        return .success
    }

    /// Waits briefly and refreshes if that is due. Returns false after a signal.
    private func pause() throws -> Bool {
        if signals.wait(upTo: HistoryFollower.interval) { return false }
        try refresher.tick()
        return true
    }

    /// Returns the time after which to retry even without new data. If everything was delivered, that is a day, so that
    /// a running consumer stays active. Reports a failure once.
    private func deliverOnce(_ run: ChangesRun, _ context: QuakeContext) throws -> Duration {
        do {
            do {
                let start = try run.position.start(in: context, startsNow: true, run.reporter)
                var descriptor = try run.descriptor(in: context)
                descriptor.start = start
                _ = try run.deliver(descriptor, in: context) { [refresher] in
                    refresher.tick(whileCommandRunsFor: $0, $1)
                }
            } catch StoreError.token {
                trouble.end(try run.position.resume(in: context).words)
                return try deliverOnce(run, context)
            }
            trouble.end()
            return .seconds(86_400)
        } catch let error as CommandError where error == .neverFilled {
            // The first refresh of a new cache has not succeeded yet.
            return .zero
        } catch StoreError.replaced(let path) {
            // The caller opens the file that replaced this one.
            throw StoreError.replaced(path: path)
        } catch let error as CommandError {
            if case .replaced? = error.cause {
                // The problem ends with this file. The file that replaced it may have problems of its own.
                refresher.reporter.say(error.text, isFailure: true)
                return .zero
            }
            trouble.begin(
                error.text, recovery: "The \(error.cause == nil ? "command succeeds" : "cache can be written") again.")
        } catch let error as StoreError where error.mayPass {
            trouble.begin(CommandError(error).text)
        }
        return .seconds(60)
    }
}
