/// An event in a history response, modeled on Apple's Contacts framework. Readers apply events in order.
///
/// A reader empties its copy on ``dropEverything(_:)``, applies each ``resync(_:)`` and ``change(_:)``, and saves the
/// token of ``end(_:)``. The first synchronization and a lost token need no other code.
///
/// In JSON, an event is a line of `quakes changes --format ndjson`.
public enum HistoryEvent: Hashable, Sendable {
    /// The requested start is unusable, so the reader must discard its copy. All quakes that the filter accepts follow.
    ///
    /// The reader's token is no longer valid; ``end(_:)`` contains the next token.
    case dropEverything(TokenFault)
    /// A quake in the cache. These events follow ``dropEverything(_:)``, in the order of local keys.
    case resync(ResyncedQuake)
    case change(RelevantChange)
    /// The last event of every response.
    case end(HistoryEnd)
}
