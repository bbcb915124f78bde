import Glibc
import QuakeStore
import QuakeSystem

/// One run of `quakes changes --follow`. It writes every transaction that any process commits, until a signal arrives,
/// the timeout passes, or the reader closes the pipe.
///
/// ``HistoryFollower`` detects new commits. The token advances only past data that the reader has read from the pipe,
/// so that the next run continues after that data. While there is more to write, the run never waits for the reader to
/// empty the pipe.
final class FollowRun {
    private let options: ChangesRun
    private var command: ChangesCommand { options.command }
    private var position: ReadPosition { options.position }
    private var environment: CommandEnvironment { options.environment }
    private var reporter: Reporter { options.reporter }
    private let signals = HeldSignals()
    private let writer: ByteWriter
    private let renderer: any ChangesRenderer
    private let clock = ContinuousClock()
    private let follower: HistoryFollower
    private let lock: ReaderLock
    private let trouble: Trouble
    /// The time at which `--timeout` ends the run; nil for no limit.
    private let end: ContinuousClock.Instant?
    /// The tokens of transactions that the reader may not have read yet, each with the number of bytes written up to
    /// its end.
    private var unread: [(token: HistoryToken, end: Int)] = []
    /// The token of the last transaction that the reader has read.
    private var delivered: HistoryToken?
    /// The last token saved.
    private var kept: HistoryToken?
    private var keepFailure: (any Error)?
    /// The time of the last attempt to save the token, made at least daily to keep a running consumer active.
    private var keeping: ContinuousClock.Instant
    /// The number of bytes written when ``flush()`` last waited for the reader.
    private var confirmedBytes = 0
    private var (count, skipped) = (0, SkippedChanges())
    private var lastRecord: ContinuousClock.Instant

    /// Refreshes the cache during the run; nil if other programs do.
    private let refresher: WatchRefresher?

    init(_ options: ChangesRun, refresher: WatchRefresher? = nil) throws {
        (self.options, self.refresher, trouble) = (options, refresher, Trouble(options.reporter))
        let (command, environment, access) = (options.command, options.environment, options.position.access)
        end = command.delivery.timeout.map { [clock] in clock.now + $0 }
        _ = try command.filters.filter(from: options.display.sites)
        signals.hold()
        let rendering = command.rendering(in: environment)
        writer = environment.writer(forPeople: rendering.isForPeople)
        let cache = try command.store(in: environment, for: .reading)
        if refresher == nil { _ = try cache.context(access: access) }
        follower = HistoryFollower(cache, access: access)
        lock = ReaderLock(options.position, cacheAt: cache.path)
        var style = OutputStyle(environment, command.global, display: options.display)
        style.idOfKey = { [follower] key in try? follower.context?.quake(forKey: key)?.quake.id }
        renderer = rendering.renderer(writer, style)
        (lastRecord, keeping) = (clock.now, clock.now)
        writer.isInterrupted = { [unowned self] isBlocked in isBlocked && isOver }
    }

    /// Whether the run must end even if the reader has not read everything. After the timeout, the reader has another
    /// second to read what was written.
    private var isOver: Bool { signals.arrived != nil || end.map { clock.now >= $0 + .seconds(1) } ?? false }

    func run() throws -> ExitStatus {
        guard try lock.wait(reporter, pause: waits) else {
            // After the timeout, an error says who reads.
            if signals.arrived == nil, environment.standardOutput.hasReader { try lock.take() }
            return .success
        }
        defer { lock.release() }
        do {
            repeat { try step() } while try waits()
            try finish()
        } catch OutputError.interrupted {
            // The reader has stopped reading, so an end record cannot reach it. Data that it read earlier still counts.
            markDelivered()
        } catch {
            keep()
            throw error
        }
        keep()
        if kept != delivered, let keepFailure { throw keepFailure }
        return command.failsEmpty && count == 0 ? .noRows : .success
    }

    /// Writes the changes committed since the last step. Reports transient errors; a later step then retries.
    private func step() throws {
        do {
            // Write output that did not fit on a full disk.
            try flush()
            try follower.news { context in try writeNews(of: context) }
            try flush()
            try writeHeartbeatIfDue()
            if follower.context != nil { trouble.end() }
        } catch is Interruption {
        } catch let error as CommandError where error == .neverFilled {
            // The first refresh of a new cache has not succeeded yet.
        } catch let error as StoreError where error.mayPass {
            trouble.begin(CommandError(error).text)
        } catch OutputError.writeFailed(let code) where refresher != nil {
            if code == EBADF || environment.standardOutput.isTerminal { throw OutputError.closedPipe }
            let error = CommandError(OutputError.writeFailed(errno: code))
            trouble.begin(error.text, recovery: "The output can be written again.")
        }
    }

    private func writeNews(of context: QuakeContext) throws {
        do {
            try writeChanges(of: context)
        } catch StoreError.token where refresher != nil {
            let resumed = try position.resume(in: context)
            delivered = resumed.token
            unread.removeAll()
            trouble.end(resumed.words)
            try writeChanges(of: context)
        }
    }

    /// Thrown when a signal arrives between two transactions.
    private struct Interruption: Error {}

    /// Writes the transactions committed after the last transaction delivered.
    private func writeChanges(of context: QuakeContext) throws {
        let start =
            try delivered.map { .token($0) }
            ?? position.start(in: context, startsNow: refresher != nil, reporter)
        try context.snapshot { try writeChanges(from: start, in: context) }
    }

    private func writeChanges(from start: HistoryDescriptor.Start, in context: QuakeContext) throws {
        var descriptor = try options.descriptor(in: context)
        descriptor.start = start
        var current: TransactionNumber?
        var reached: HistoryToken?
        var isResync = false
        try context.history.fetch(descriptor, resyncs: command.start.remedy(command.delivery) == .resync) { event in
            switch event {
            case .change(let change):
                if current != change.transaction.number {
                    if let reached { unread.append((reached, writer.bytesAppended)) }
                    if signals.arrived != nil { throw Interruption() }
                }
                current = change.transaction.number
                reached = change.token
                count += 1
                try renderer.write(event)
            case .dropEverything, .resync:
                isResync = true
                count += 1
                try renderer.write(event)
            case .end(let end):
                skipped.add(end.skipped)
                reporter.remark(on: end.skipped, olderThan: descriptor.maximumOriginAge)
                if isResync { try renderer.writeHeartbeat(token: end.token, time: environment.now()) }
                unread.append((end.token, writer.bytesAppended))
            }
        }
    }

    /// Writes the output still in memory and waits until the reader has read it or the run must end.
    private func flush() throws {
        if writer.bytesAppended > confirmedBytes {
            refresher?.willWrite()
            try writer.flush()
            lastRecord = clock.now
            confirmedBytes = writer.bytesWritten
            do {
                try environment.standardOutput.confirmDelivery(isInterrupted: { isOver })
            } catch OutputError.interrupted {}
        }
        let before = delivered
        markDelivered()
        if delivered != before || clock.now - keeping >= .seconds(86_400) { keep() }
    }

    /// Moves `delivered` past the transactions that the reader has read.
    private func markDelivered() {
        let taken = writer.bytesWritten - environment.standardOutput.unreadBytes
        guard let last = unread.lastIndex(where: { $0.end <= taken }) else { return }
        delivered = unread[last].token
        unread.removeFirst(last + 1)
    }

    /// Saves the delivered token. If the cache is busy, a later call tries again. In the worst case, an older token
    /// causes records to be repeated.
    private func keep() {
        guard let delivered, let context = follower.context,
            delivered != kept || clock.now - keeping >= .seconds(86_400)
        else { return }
        keeping = clock.now
        do {
            try position.keep(delivered, in: context)
            kept = delivered
        } catch { keepFailure = error }
    }

    /// Waits for the next step. Returns false when the run should end.
    private func waits() throws -> Bool {
        if signals.wait(upTo: HistoryFollower.interval) || !environment.standardOutput.hasReader { return false }
        if let end, clock.now >= end { return false }
        try refresher?.tick()
        return true
    }

    private func writeHeartbeatIfDue() throws {
        guard let interval = command.delivery.heartbeat, clock.now - lastRecord >= interval, let delivered
        else { return }
        try renderer.writeHeartbeat(token: delivered, time: environment.now())
        try flush()
    }

    /// Writes the end record, unless no token has been delivered or no cache is open.
    private func finish() throws {
        guard let delivered, let context = follower.context,
            let (head, floor) = try? context.snapshot({ try (context.history.head(), context.history.floor().number) })
        else { return }
        try renderer.write(
            .end(
                HistoryEnd(
                    token: delivered, head: head, floor: floor, hasMore: delivered != head, count: count,
                    skipped: skipped)))
        try flush()
    }
}
