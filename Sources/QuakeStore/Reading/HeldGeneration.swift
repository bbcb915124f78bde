import Synchronization

/// A generation that stays readable while a reference to this object exists, regardless of writes and purges.
///
/// Contexts that share a generation take turns on one connection, even from different threads. The write-ahead log
/// cannot shrink until the generation is released.
public final class HeldGeneration: Sendable {
    /// The generation's position in the history.
    let place: HistoryPosition
    /// Whether the read transaction sees a later state than that at this position.
    let isPast: Bool
    /// Whether the overlay of a past generation has been built.
    let hasOverlay = Mutex(false)
    /// Safe to share, because SQLite serializes the threads' work on views, and nothing else changes after opening.
    private nonisolated(unsafe) let connection: Database

    init(place: HistoryPosition, isPast: Bool, connection: Database) {
        (self.place, self.isPast, self.connection) = (place, isPast, connection)
    }

    /// Returns the connection for the reads of one context.
    func view() -> Database { connection.view() }
}

extension QuakeContext {
    /// Returns the generation that this context reads, for pinning other contexts with ``QuakeGeneration/held(_:)``.
    ///
    /// The write-ahead log cannot shrink until the last reference to the generation is released.
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

    /// The generation visible to reads; nil if they see the newest state, such as inside a write transaction.
    var heldGeneration: HeldGeneration? {
        if !isWriting, case .held(let generation, _) = pin { generation } else { nil }
    }

    /// Applies any pin that takes effect at the next read, and returns the generation visible to reads.
    func settledGeneration() throws -> HeldGeneration? {
        if !isWriting, case .waiting = pin { hold(try hold { HistoryPosition(token: $0) }) }
        return heldGeneration
    }

    /// Whether reads see a state other than the newest.
    package var isPast: Bool { heldGeneration?.isPast == true }

    /// The last transaction that is visible to reads.
    var newestReadable: TransactionNumber {
        if let heldGeneration, heldGeneration.isPast { heldGeneration.place.token.number } else { newestComplete }
    }

    /// The last transaction with a complete record of its changes. The transaction being written does not count: a
    /// reader that continued from its token would miss the changes still to come.
    var newestComplete: TransactionNumber { writer?.transactionNumber?.previous ?? .last }

    /// Holds the generation at the position that `choice` selects, given the newest token.
    func hold(_ choice: (HistoryToken) throws -> HistoryPosition) throws -> HeldGeneration {
        try connection.requireSameFile()
        let reader = try Database(
            path: cache.path, access: .reading, configuration: cache.configuration, isShared: true)
        guard reader.files?.database == connection.files?.database else { throw StoreError.replaced(path: cache.path) }
        try reader.begin(.reading)
        let old = pin
        defer { pin = old }
        pin = .settling(reader)
        let head = try history.head()
        let place = try choice(head)
        if let fault = try history.fault(of: place.token) {
            throw fault == .expired
                ? StoreError.generationExpired(floor: try history.floor().number) : StoreError.token(fault)
        }
        return HeldGeneration(
            place: place, isPast: place.token.number < head.number || place.cut != nil, connection: reader)
    }
}
