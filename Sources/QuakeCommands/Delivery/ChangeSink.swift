import QuakeStore

/// Receives the records of a delivery.
protocol ChangeSink: AnyObject {
    /// The number of changes to read before they are delivered; nil to deliver every change as it is read.
    var pageSize: Int? { get }
    /// The number of records received.
    var takenCount: Int { get }

    /// Takes the next record, while a snapshot of the cache is open.
    func take(_ event: HistoryEvent) throws

    /// Delivers all records taken so far, up to `end`. Called after the snapshot of the cache has been closed.
    ///
    /// Returns the position to save; nil if the sink saves positions itself. If this throws, the position must not
    /// advance.
    func finish(_ end: HistoryEnd) throws -> ReadPosition.Receipt?
}
