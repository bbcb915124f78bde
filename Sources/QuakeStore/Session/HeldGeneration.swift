/// A generation that stays readable while a reference to this object exists, regardless of writes and purges.
///
/// Contexts that share a generation take turns on one connection, even from different threads. The write-ahead log
/// cannot shrink until the generation is released.
public final class HeldGeneration: Sendable {
    /// The generation's position in the history.
    let position: HistoryPosition
    /// The tables that turn the newest state of the connection into a past state; nil if the generation is that newest
    /// state.
    let overlay: QuakeOverlay?
    /// Safe to share: SQLite serializes the threads' use of the views, and nothing else changes after opening.
    private nonisolated(unsafe) let connection: Database

    init(position: HistoryPosition, overlay: QuakeOverlay?, connection: Database) {
        self.position = position
        self.overlay = overlay
        self.connection = connection
    }

    /// Whether the generation is a past state, not the newest state of its connection.
    var isPast: Bool { overlay != nil }

    /// Returns the connection for the reads of one session.
    func view() -> Database { connection.view() }
}
