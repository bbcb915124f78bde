/// The changes to a cache since the previous batch, to be applied as a whole.
public struct HistoryBatch: Hashable, Codable, Sendable {
    /// The events to apply, in order: changes or, in a resync, `dropEverything` and every quake. The last event is
    /// ``/QuakeModel/HistoryEvent/end(_:)``, unless more batches of a resync follow. If only the position advanced,
    /// `end` is the only event.
    public var events: [HistoryEvent]
    /// The position from which to continue after this batch; nil if more batches of a resync follow. Store even a nil
    /// token, so that an interrupted reader repeats the whole resync, which cannot be resumed midway.
    public var token: HistoryToken?

    /// The maximum number of events in a resync batch. Any other batch ends at the latest with the transaction that
    /// reaches this number of changes. A smaller ``/QuakeModel/HistoryDescriptor/limit`` takes precedence.
    package static let maximumCount = 1000
}
