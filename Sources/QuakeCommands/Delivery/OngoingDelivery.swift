import Glibc
import QuakeStore
import QuakeSystem

/// The delivery of `changes --follow` and `watch`: delivers every transaction that any process commits, until a signal
/// arrives, the timeout passes, or the reader closes the pipe.
///
/// ``HistoryFollower`` detects new commits. Problems that may pass are reported when they begin and when they end.
final class OngoingDelivery {
    private let delivery: Delivery
    private let cache: QuakeCache
    /// Refreshes the cache during the delivery; nil if other programs do.
    private let refresher: WatchRefresher?
    /// The sink for standard output; nil if a command receives the changes.
    private let output: FollowedOutput?
    private let follower: HistoryFollower
    private let lock: ReaderLock
    private let signals = HeldSignals()
    private let clock = ContinuousClock()
    /// The time at which the timeout ends the delivery; nil for no limit.
    private let deadline: ContinuousClock.Instant?
    /// The time from which changes are delivered to a command even without a new commit.
    private var nextAttempt: ContinuousClock.Instant
    /// The last token of ``output`` that was saved.
    private var savedToken: HistoryToken?
    private var saveFailure: (any Error)?
    /// The time of the last attempt to save a token of ``output``.
    private var lastSave: ContinuousClock.Instant

    private var position: ReadPosition? { delivery.request.start.position }
    private var interruption: FollowInterruption { delivery.interruption }

    /// The interval at which an unchanged position is saved again, so that the consumer of a running delivery stays
    /// active.
    private static let renewal = Duration.seconds(86_400)

    /// Creates the delivery, and holds back signals from now on.
    init(_ delivery: Delivery, of cache: QuakeCache, refresher: WatchRefresher? = nil) {
        let request = delivery.request
        let position = request.start.position
        self.cache = cache
        self.refresher = refresher
        signals.hold()
        nextAttempt = clock.now
        lastSave = clock.now
        deadline = request.timeout.map { [clock] in clock.now + $0 }
        follower = HistoryFollower(cache, access: position?.access ?? .reading)
        lock = ReaderLock(position, cacheAt: cache.path)
        if case .output(let rendering) = request.receiver {
            var style = request.style
            style.now = delivery.environment.now()
            style.idOfKey = { [follower] key in try? follower.context?.quake(key: key)?.quake.id }
            // The reader has one more second after the timeout to read what was written.
            output = FollowedOutput(
                rendering, style, in: delivery.environment, signals: signals,
                deadline: deadline.map { $0 + .seconds(1) })
        } else {
            output = nil
        }
        var delivery = delivery
        if let refresher { delivery.whileRunning = { refresher.tick(whileCommandRunsFor: $0, $1) } }
        self.delivery = delivery
    }

    /// Refreshes until there is a readable cache. Ignores a full disk, which the refresher reports. Returns false after
    /// a signal.
    ///
    /// - Parameter check: Checks the filters. Called once, with the cache or, if there is none yet, with nil.
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

    /// Delivers changes until the end. Returns the number of records written; nil if a command received the changes, or
    /// if another process kept delivering to the same reader.
    func run() throws -> Int? {
        guard try lock.wait(delivery.reporter, pause: pause) else {
            // If the timeout ended the wait, throw an error that names the other process.
            if signals.arrived == nil, output?.hasReader ?? true { try lock.take() }
            return nil
        }
        defer { lock.release() }
        // Start the first refresh before a command runs.
        if output == nil, try !pause() { return nil }
        do {
            repeat { try step() } while try pause()
            if let output, let delivered = output.delivered, let context = follower.context {
                try output.writeEnd(after: delivered, in: context)
                try flush(output)
            }
        } catch OutputError.interrupted {
            // The reader has stopped reading, so it would not get an end record. What it read before counts as
            // delivered.
            output?.markDelivered()
        } catch {
            save()
            throw error
        }
        save()
        if let saveFailure, savedToken != output?.delivered { throw saveFailure }
        return output?.takenCount
    }

    /// Waits for the next step, and calls the refresher. Returns false if the delivery must end.
    private func pause() throws -> Bool {
        if signals.wait(upTo: HistoryFollower.interval) || output?.hasReader == false { return false }
        if let deadline, clock.now >= deadline { return false }
        try refresher?.tick()
        return true
    }

    /// Delivers the changes committed since the last step. Reports a transient error; a later step retries.
    private func step() throws {
        do {
            if let output { try write(to: output) } else { try runCommand() }
        } catch let error as CommandError where error == .neverFilled {
            // Wait for the first refresh of a new cache to succeed.
        } catch let error as StoreError where error.isTransient {
            interruption.begin(CommandError(error).text)
            nextAttempt = clock.now
        }
    }

    private func write(to output: FollowedOutput) throws {
        do {
            // Retry output that did not fit on a full disk.
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

    /// Saves the delivered token if it is new or a renewal is due. If saving fails, a later call retries. Until then,
    /// the saved token is older, so a restart repeats records.
    private func save() {
        guard let token = output?.delivered, let context = follower.context,
            token != savedToken || clock.now - lastSave >= Self.renewal
        else { return }
        lastSave = clock.now
        do {
            try position?.save(ReadPosition.Receipt(token: token), in: context)
            savedToken = token
        } catch { saveFailure = error }
    }

    /// Runs the command if there is a commit or a retry is due. A lasting failure is reported once.
    private func runCommand() throws {
        try follower.readIfChanged(or: clock.now >= nextAttempt) { context in
            let start = clock.now
            nextAttempt = start + .seconds(60)
            do {
                _ = try delivery.deliver(in: context)
                interruption.end()
                nextAttempt = start + Self.renewal
            } catch let error as CommandError where error == .neverFilled {
                nextAttempt = start
            } catch StoreError.replaced(let path) {
                // Pass the error to the follower, which then opens the file that replaced this one.
                throw StoreError.replaced(path: path)
            } catch let error as CommandError {
                if case .replaced? = error.cause {
                    // This problem is over once the new file is open, so it is not an interruption. The new file may
                    // have other problems.
                    delivery.reporter.writeLine(error.text, isFailure: true)
                    nextAttempt = start
                    return
                }
                let what = error.cause == nil ? "command succeeds" : "cache can be written to"
                interruption.begin(error.text, recovery: "The \(what) again.")
            } catch let error as StoreError where error.isTransient {
                interruption.begin(CommandError(error).text)
            }
        }
    }
}
