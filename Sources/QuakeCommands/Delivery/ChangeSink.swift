import QuakeStore

/// Receives the records of a delivery.
protocol ChangeSink: AnyObject {
    /// The number of changes to read before they are delivered; nil to deliver all changes while they are read.
    var pageSize: Int? { get }
    /// The number of records received.
    var count: Int { get }

    /// Takes the next record, while a snapshot of the cache is open.
    func take(_ event: HistoryEvent) throws

    /// Delivers everything taken so far, which ends at `end`, after the snapshot has been closed. Returns the position
    /// to save; nil if the sink saves positions itself. If this throws, the position must not advance.
    func finish(_ end: HistoryEnd) throws -> ReadPosition.Receipt?
}
