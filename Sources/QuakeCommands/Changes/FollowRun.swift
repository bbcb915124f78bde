import Glibc
import QuakeModel
import QuakeOutput
import QuakeStore
import QuakeSystem

/// One run of `quakes changes --follow`: writes every transaction that any process commits, until a signal, the
/// timeout, or until the reader closes the pipe.
///
/// ``HistoryFollower`` finds out whether something was committed. The token moves past what the reader has taken out of
/// the pipe, so that the next run continues there. While there is more to write, it never waits for the reader to empty
/// the pipe.
final class FollowRun {
    private let command: ChangesCommand
    private let position: ReadPosition
    private let environment: CommandEnvironment
    private let filter: QuakeFilter
    private let signals = HeldSignals([SIGINT, SIGTERM, SIGHUP])
    private let writer: ByteWriter
    private let renderer: any ChangesRenderer
    private let clock = ContinuousClock()
    private let follower: HistoryFollower
    /// The token after each transaction that the reader may not have taken yet, with the number of bytes written by
    /// then.
    private var unread: [(token: HistoryToken, end: Int)] = []
    /// The last token whose transaction the reader has taken, and the last one that was kept.
    private var delivered: HistoryToken?
    private var kept: HistoryToken?
    private var keepFailure: (any Error)?
    /// The bytes after which ``flush()`` waited for the reader the last time.
    private var confirmedBytes = 0
    /// Whether the first refresh of a new cache has yet to succeed.
    private var awaitsState = false
    private var (count, skipped) = (0, 0)
    private var lastRecord: ContinuousClock.Instant

    /// Refreshes the cache meanwhile; nil if other programs do.
    private let refresher: WatchRefresher?

    init(
        command: ChangesCommand, position: ReadPosition, display: DisplayStyle, environment: CommandEnvironment,
        refresher: WatchRefresher? = nil
    ) throws {
        (self.refresher, self.command) = (refresher, command)
        (self.position, self.environment) = (position, environment)
        filter = try command.filters.filter(from: display.reference)
        signals.hold()
        writer =
            command.rendering(in: environment).isForPeople
            ? environment.standardOutput.writerForPeople : ByteWriter(environment.standardOutput)
        writer.isInterrupted = { [signals] isBlocked in isBlocked && signals.arrived != nil }
        follower = try HistoryFollower(command.store(in: environment, for: .reading), access: position.access)
        renderer = command.rendering(in: environment).renderer(
            writer,
            OutputStyle(
                environment, command.global, usesEpochTime: command.usesEpochTime, display: display,
                context: follower.context))
        lastRecord = clock.now
    }

    func run() throws -> ExitStatus {
        do {
            try follow(until: command.delivery.timeout.map { clock.now + $0 })
            try finish()
        } catch OutputError.interrupted {
            // The reader takes no data, so an end record cannot reach it. What it took before counts.
            markDelivered()
        } catch {
            keep()
            throw error
        }
        keep()
        if kept != delivered, let keepFailure { throw keepFailure }
        return command.failsEmpty && count == 0 ? .noRows : .success
    }

    private func follow(until end: ContinuousClock.Instant?) throws {
        repeat {
            do {
                do {
                    try writeChanges()
                } catch StoreError.token where refresher != nil {
                    let resumed = try position.resume(in: follower.context)
                    delivered = resumed.token
                    unread.removeAll()
                    refresher?.say("quakes: \(resumed.words)")
                    try writeChanges()
                }
                awaitsState = false
            } catch is Interruption {
            } catch CommandError.neverFilled {
                awaitsState = true
            } catch StoreError.replaced where refresher != nil {
                // The file that takes its place is news.
                awaitsState = false
            }
            try flush()
            keep()
        } while try waitForCommit(until: end)
    }

    /// A signal arrived between two transactions.
    private struct Interruption: Error {}

    /// Writes what was committed after the last delivered transaction.
    private func writeChanges() throws {
        let context = follower.context
        let start =
            try delivered.map { .token($0) }
            ?? position.start(in: context, now: environment.now(), startsNow: refresher != nil)
        try context.snapshot { try writeChanges(from: start, in: context) }
    }

    private func writeChanges(from start: HistoryDescriptor.Start, in context: QuakeContext) throws {
        var descriptor = try command.relevance.descriptor(filter: filter, in: context)
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
                skipped += end.skipped
                if isResync { try renderer.writeHeartbeat(token: end.token, time: environment.now()) }
                unread.append((end.token, writer.bytesAppended))
            }
        }
    }

    /// Writes what is still in memory and waits until the reader has taken it, or until a signal arrives.
    private func flush() throws {
        if writer.bytesAppended > confirmedBytes {
            refresher?.willWrite()
            try writer.flush()
            lastRecord = clock.now
            confirmedBytes = writer.bytesWritten
            do {
                try environment.standardOutput.confirmDelivery(isInterrupted: { signals.arrived != nil })
            } catch OutputError.interrupted {}
        }
        markDelivered()
    }

    /// Moves `delivered` past the transactions that the reader has taken.
    private func markDelivered() {
        let taken = writer.bytesWritten - environment.standardOutput.unreadBytes
        guard let last = unread.lastIndex(where: { $0.end <= taken }) else { return }
        delivered = unread[last].token
        unread.removeFirst(last + 1)
    }

    /// Keeps the delivered token. If the cache is busy, the next commit tries again: an older token only repeats
    /// records.
    private func keep() {
        guard let delivered, delivered != kept else { return }
        do {
            try position.keep(delivered, in: follower.context)
            kept = delivered
        } catch { keepFailure = error }
    }

    /// Waits for a commit that may not have been read. Returns false when it is time to end.
    private func waitForCommit(until end: ContinuousClock.Instant?) throws -> Bool {
        while true {
            if signals.wait(upTo: HistoryFollower.interval) || !environment.standardOutput.hasReader { return false }
            if let end, clock.now >= end { return false }
            try refresher?.tick()
            if try follower.hasNews() || awaitsState { return true }
            try writeHeartbeatIfDue()
        }
    }

    private func writeHeartbeatIfDue() throws {
        guard let interval = command.delivery.heartbeat, clock.now - lastRecord >= interval, let delivered
        else { return }
        try renderer.writeHeartbeat(token: delivered, time: environment.now())
        try flush()
    }

    /// Writes the end record. A run that has delivered nothing has no token and ends without it.
    private func finish() throws {
        guard let delivered else { return }
        let context = follower.context
        let (head, floor) = try context.snapshot { (try context.history.head(), try context.history.floor().number) }
        try renderer.write(
            .end(
                HistoryEnd(
                    token: delivered, head: head, floor: floor, hasMore: delivered != head, count: count,
                    skipped: skipped)))
        try flush()
    }
}
