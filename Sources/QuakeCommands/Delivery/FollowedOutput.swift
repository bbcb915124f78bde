import QuakeStore
import QuakeSystem

/// Writes the records of an ongoing delivery to standard output. A token counts as delivered once the reader has read
/// everything before it from the pipe. The delivery waits for the reader to empty the pipe only when there is nothing
/// more to write.
final class FollowedOutput: ChangeSink {
    /// Thrown when a signal arrives between two transactions.
    struct Interruption: Error {}

    let pageSize: Int? = nil
    private(set) var takenCount = 0
    /// The token of the last transaction that the reader has read.
    private(set) var delivered: HistoryToken?
    private let environment: CommandEnvironment
    private let signals: HeldSignals
    /// The time from which the delivery no longer waits for the reader; nil for no limit.
    private let deadline: ContinuousClock.Instant?
    private let writer: ByteWriter
    private let renderer: any ChangesRenderer
    private let clock = ContinuousClock()
    /// The tokens of transactions that the reader may not have read yet. `end` is the total number of bytes up to the
    /// end of the transaction.
    private var unread: [(token: HistoryToken, end: Int)] = []
    /// The number of bytes written when ``flush()`` last waited for the reader.
    private var confirmedBytes = 0
    private var skipped = SkippedChanges()
    private var lastRecord: ContinuousClock.Instant
    /// The last change of the current page.
    private var last: RelevantChange?
    private var isResync = false

    init(
        _ rendering: ChangesOutputForm, _ style: OutputStyle, in environment: CommandEnvironment, signals: HeldSignals,
        deadline: ContinuousClock.Instant?
    ) {
        self.environment = environment
        self.signals = signals
        self.deadline = deadline
        writer = environment.writer(forPeople: rendering.isForPeople)
        renderer = rendering.renderer(writer, style)
        lastRecord = clock.now
        writer.isInterrupted = { [unowned self] isBlocked in isBlocked && mustEnd }
    }

    /// Whether the delivery must end even if the reader has not read everything.
    private var mustEnd: Bool { signals.arrived != nil || deadline.map { clock.now >= $0 } ?? false }

    var hasReader: Bool { environment.standardOutput.hasReader }

    /// Whether there is output for which ``flush()`` has not waited yet.
    var isPending: Bool { writer.bytesAppended > confirmedBytes }

    /// Prepares for the changes after ``delivered``, even if the previous page was not read to its end.
    func beginPage() {
        last = nil
        isResync = false
    }

    func take(_ event: HistoryEvent) throws {
        switch event {
        case .change(let change):
            if last?.transaction.number != change.transaction.number {
                if let reached = last?.token { unread.append((reached, writer.bytesAppended)) }
                if signals.arrived != nil { throw Interruption() }
            }
            last = change
            takenCount += 1
            try renderer.write(event)
        case .dropEverything, .resync:
            isResync = true
            takenCount += 1
            try renderer.write(event)
        case .end(let end):
            skipped.add(end.skipped)
            if isResync { try renderer.writeHeartbeat(token: end.token, time: environment.now()) }
            unread.append((end.token, writer.bytesAppended))
        }
    }

    /// Returns nil, because the caller of ``flush()`` saves ``delivered``.
    func finish(_ end: HistoryEnd) -> ReadPosition.Receipt? { nil }

    /// Writes the output that is still in memory, and waits until the reader has read it or the delivery must end.
    func flush() throws {
        if isPending {
            try writer.flush()
            lastRecord = clock.now
            confirmedBytes = writer.bytesWritten
            do {
                try environment.standardOutput.confirmDelivery(isInterrupted: { mustEnd })
            } catch OutputError.interrupted {}
        }
        markDelivered()
    }

    /// Advances ``delivered`` past the transactions that the reader has read.
    func markDelivered() {
        let taken = writer.bytesWritten - environment.standardOutput.unreadBytes
        guard let last = unread.lastIndex(where: { $0.end <= taken }) else { return }
        delivered = unread[last].token
        unread.removeFirst(last + 1)
    }

    /// Continues after `token` instead of ``delivered``.
    func resume(after token: HistoryToken) {
        delivered = token
        unread.removeAll()
        beginPage()
    }

    /// Writes a heartbeat record if nothing was written for `interval` and a token has been delivered.
    func writeHeartbeat(every interval: Duration) throws {
        guard clock.now - lastRecord >= interval, let delivered else { return }
        try renderer.writeHeartbeat(token: delivered, time: environment.now())
    }

    /// Writes the end record, unless the cache cannot be read.
    func writeEnd(after token: HistoryToken, in context: QuakeContext) throws {
        let state = try? context.snapshot {
            (head: try context.history.currentToken(), floor: try context.history.floor())
        }
        guard let state else { return }
        let end = HistoryEnd(
            token: token, newest: state.head, trimmedThrough: state.floor.number, hasMore: token != state.head,
            count: takenCount,
            skipped: skipped)
        try renderer.write(.end(end))
    }
}
