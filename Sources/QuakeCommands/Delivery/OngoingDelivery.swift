import Glibc
import QuakeStore
import QuakeSystem

/// A delivery of every transaction that any process commits, until a signal arrives, the timeout passes, or the reader
/// closes the pipe: `changes --follow` and `watch`.
///
/// ``HistoryFollower`` detects new commits. Problems that may pass are reported when they begin and when they end.
final class OngoingDelivery {
    private let delivery: Delivery
    private let cache: QuakeCache
    /// Refreshes the cache during the delivery; nil if other programs do.
    private let refresher: WatchRefresher?
    /// The output; nil if a command receives the changes.
    private let output: FollowedOutput?
    private let follower: HistoryFollower
    private let lock: ReaderLock
    private let signals = HeldSignals()
    private let clock = ContinuousClock()
    /// The time at which the timeout ends the delivery; nil for no limit.
    private let end: ContinuousClock.Instant?
    /// The time after which a command receives changes even without a new commit.
    private var retry: ContinuousClock.Instant
    /// The last token of ``output`` that was saved.
    private var saved: HistoryToken?
    private var saveFailure: (any Error)?
    /// The time of the last attempt to save a token of ``output``.
    private var lastSave: ContinuousClock.Instant

    private var position: ReadPosition? { delivery.request.start.position }
    private var interruption: FollowInterruption { delivery.interruption }

    /// The time after which a position is saved again, so that a running consumer stays active.
    private static let renewal = Duration.seconds(86_400)

    /// Holds signals back from now on.
    init(_ delivery: Delivery, of cache: QuakeCache, refresher: WatchRefresher? = nil) {
        let request = delivery.request
        let position = request.start.position
        self.cache = cache
        self.refresher = refresher
        signals.hold()
        retry = clock.now
        lastSave = clock.now
        end = request.timeout.map { [clock] in clock.now + $0 }
        follower = HistoryFollower(cache, access: position?.access ?? .reading)
        lock = ReaderLock(position, cacheAt: cache.path)
        if case .output(let rendering) = request.receiver {
            var style = request.style
            style.now = delivery.environment.now()
            style.idOfKey = { [follower] key in try? follower.context?.quake(key: key)?.quake.id }
            // After the timeout, the reader has another second to read what was written.
            output = FollowedOutput(
                rendering, style, in: delivery.environment, signals: signals, deadline: end.map { $0 + .seconds(1) })
        } else {
            output = nil
        }
        var delivery = delivery
        if let refresher { delivery.whileRunning = { refresher.tick(whileCommandRunsFor: $0, $1) } }
        self.delivery = delivery
    }

    /// Refreshes until there is a cache. The refresher reports a full disk. Returns false after a signal.
    ///
    /// - Parameter check: Checks the filters, once, against the cache if there is one.
    func waitForCache(_ check: (QuakeContext?) throws -> Void) throws -> Bool {
        var isChecked = false
        while true {
            do {
                let context = try QuakeContext(cache, access: .reading)
                if !isChecked { try check(context) }
                return true
            } catch StoreError.noCache {
                if !isChecked { try check(nil) }
                isChecked = true
            } catch StoreError.busy, StoreError.diskFull {}
            try refresher?.tick()
            if signals.wait(upTo: HistoryFollower.interval) { return false }
        }
    }

    /// Returns the number of records written; nil if a command receives the changes, or if another process was reading
    /// for the same reader until the end.
    func run() throws -> Int? {
        guard try lock.wait(delivery.reporter, pause: pause) else {
            // After the timeout, an error says who reads.
            if signals.arrived == nil, output?.hasReader ?? true { try lock.take() }
            return nil
        }
        defer { lock.release() }
        // A command must not delay the first refresh.
        if output == nil, try !pause() { return nil }
        do {
            repeat { try step() } while try pause()
            if let output, let delivered = output.delivered, let context = follower.context {
                try output.writeEnd(after: delivered, in: context)
                try flush(output)
            }
        } catch OutputError.interrupted {
            // The reader has stopped reading, so an end record cannot reach it. Data that it read earlier still counts.
            output?.markDelivered()
        } catch {
            save()
            throw error
        }
        save()
        if let saveFailure, saved != output?.delivered { throw saveFailure }
        return output?.count
    }

    /// Waits for the next step, and refreshes if that is due. Returns false when the delivery should end.
    private func pause() throws -> Bool {
        if signals.wait(upTo: HistoryFollower.interval) || output?.hasReader == false { return false }
        if let end, clock.now >= end { return false }
        try refresher?.tick()
        return true
    }

    /// Delivers the changes committed since the last step. Reports transient errors; a later step then retries.
    private func step() throws {
        do {
            if let output { try write(to: output) } else { try runCommand() }
        } catch let error as CommandError where error == .neverFilled {
            // The first refresh of a new cache has not succeeded yet.
        } catch let error as StoreError where error.mayPass {
            interruption.begin(CommandError(error).text)
            retry = clock.now
        }
    }

    private func write(to output: FollowedOutput) throws {
        do {
            // Write output that did not fit on a full disk.
            try flush(output)
            try follower.readIfChanged { context in
                output.beginPage()
                return try delivery.deliver(in: context, to: output)
            }
            try flush(output)
            if let interval = delivery.request.heartbeat {
                try output.writeHeartbeat(every: interval)
                try flush(output)
            }
            if follower.context != nil { interruption.end() }
        } catch is FollowedOutput.Interruption {
        } catch OutputError.writeFailed(let code) where refresher != nil {
            if code == EBADF || delivery.environment.standardOutput.isTerminal { throw OutputError.closedPipe }
            let error = CommandError(OutputError.writeFailed(errno: code))
            interruption.begin(error.text, recovery: "Writing the output works again.")
        }
    }

    private func flush(_ output: FollowedOutput) throws {
        if output.isPending { refresher?.willWrite() }
        let before = output.delivered
        try output.flush()
        if output.delivered != before || clock.now - lastSave >= Self.renewal { save() }
    }

    /// Saves the delivered token. If the cache is busy, a later call tries again. In the worst case, an older token
    /// causes records to be repeated.
    private func save() {
        guard let token = output?.delivered, let context = follower.context,
            token != saved || clock.now - lastSave >= Self.renewal
        else { return }
        lastSave = clock.now
        do {
            try position?.save(ReadPosition.Receipt(token: token), in: context)
            saved = token
        } catch { saveFailure = error }
    }

    /// Delivers to the command if there is a commit or a retry is due. Reports a failure once.
    private func runCommand() throws {
        try follower.readIfChanged(or: clock.now >= retry) { context in
            let start = clock.now
            retry = start + .seconds(60)
            do {
                _ = try delivery.deliver(in: context)
                interruption.end()
                retry = start + Self.renewal
            } catch let error as CommandError where error == .neverFilled {
                retry = start
            } catch StoreError.replaced(let path) {
                // The follower opens the file that replaced this one.
                throw StoreError.replaced(path: path)
            } catch let error as CommandError {
                if case .replaced? = error.cause {
                    // The problem ends with this file. The file that replaced it may have problems of its own.
                    delivery.reporter.say(error.text, isFailure: true)
                    retry = start
                    return
                }
                let what = error.cause == nil ? "command succeeds" : "cache can be written"
                interruption.begin(error.text, recovery: "The \(what) again.")
            } catch let error as StoreError where error.mayPass {
                interruption.begin(CommandError(error).text)
            }
        }
    }
}
