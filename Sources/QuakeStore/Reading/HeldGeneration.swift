import Synchronization

/// A generation that stays readable as long as anything refers to it, whatever others write, purge and checkpoint.
///
/// The system's SQLite has no WAL snapshots, so a connection of its own keeps a read transaction open, which sees the
/// newest state of that moment with all its history; a `PastOverlay` makes an older state from it. Contexts that share
/// a generation share that connection, on different threads row by row. Meanwhile the write-ahead log cannot shrink.
public final class HeldGeneration: Sendable {
    /// What it contains.
    let place: HistoryPosition
    /// Whether quakes changed between that place and what the read transaction sees.
    let isPast: Bool
    /// Whether the overlay has been built, or none is needed.
    let hasOverlay: Mutex<Bool>
    /// SQLite serializes what threads do through its views; nothing else is changed after it was opened.
    private nonisolated(unsafe) let connection: Database

    init(place: HistoryPosition, isPast: Bool, hasOverlay: Bool, connection: Database) {
        (self.place, self.isPast) = (place, isPast)
        self.hasOverlay = Mutex(hasOverlay)
        self.connection = connection
    }

    /// The connection for the reads of one context.
    func view() -> Database { connection.view() }
}

extension QuakeContext {
    /// The generation that reads see now, to be pinned in other contexts by ``QuakeGeneration/held(_:)``.
    ///
    /// It holds resources until the last reference to it is gone: see ``pin(to:)``.
    ///
    /// - Throws: ``StoreError/contextState(_:)`` inside a snapshot or transaction of an unpinned context.
    public func generation() throws -> HeldGeneration {
        if let heldGeneration = try settledGeneration() { return heldGeneration }
        guard depth == 0 else { throw StoreError.contextState("a generation inside a snapshot or transaction") }
        return try hold { HistoryPosition(token: $0) }
    }

    func reading<Result>(_ generation: HeldGeneration?, _ body: () throws -> Result) rethrows -> Result {
        guard let generation else { return try body() }
        let old = pin
        defer { pin = old }
        pin = .held(generation, on: generation.view())
        return try body()
    }

    /// The generation that reads see; nil if they see what is newest, as inside a transaction that writes.
    var heldGeneration: HeldGeneration? {
        if !isWriting, case .held(let generation, _) = pin { generation } else { nil }
    }

    /// The generation that reads see, after a pin that waits for the next read has been applied.
    func settledGeneration() throws -> HeldGeneration? {
        if !isWriting, case .waiting = pin { hold(try hold { HistoryPosition(token: $0) }) }
        return heldGeneration
    }

    /// Whether reads see an earlier state than the newest.
    package var isPast: Bool { heldGeneration?.isPast == true }

    /// The last transaction that reads may see.
    var newestReadable: TransactionNumber {
        if let heldGeneration, heldGeneration.isPast { heldGeneration.place.token.number } else { newestComplete }
    }

    /// The last transaction whose changes are all recorded. The one that is being written comes after every token,
    /// because the changes that it has yet to make would be lost to who read on from there.
    var newestComplete: TransactionNumber { writer?.transactionNumber?.previous ?? .last }

    /// A connection with an open read transaction, which sees the newest state from its first read on.
    private func openReader() throws -> Database {
        try connection.requireSameFile()
        let reader = try Database(
            path: cache.path, access: .reading, configuration: cache.configuration, isShared: true)
        guard reader.files?.database == connection.files?.database else { throw StoreError.replaced(path: cache.path) }
        try reader.begin(.reading)
        return reader
    }

    /// Holds the generation at the place that `choice` names, given the newest one.
    func hold(_ choice: (HistoryToken) throws -> HistoryPosition) throws -> HeldGeneration {
        let reader = try openReader()
        let old = pin
        defer { pin = old }
        pin = .settling(reader)
        let head = try history.head()
        let place = try choice(head)
        if let fault = try history.fault(of: place.token) {
            throw fault == .expired
                ? StoreError.generationExpired(floor: try history.floor().number) : StoreError.token(fault)
        }
        let since = try history.changeIDs(after: place.token.number, through: head.number)
        return HeldGeneration(
            place: place, isPast: place.token.number < head.number || place.cut != nil,
            hasOverlay: since.isEmpty && place.cut == nil, connection: reader)
    }
}
