import QuakeModel

/// Writes the events of a history in one format.
protocol ChangesRenderer: AnyObject {
    func write(_ event: HistoryEvent) throws(OutputError)
    /// Reports that everything up to `token` was written. Only used in formats that `--follow` supports.
    func writeHeartbeat(token: HistoryToken, time: Timestamp) throws(OutputError)
    /// Writes the end of the output and flushes.
    func finish() throws(OutputError)
}

extension ChangesRenderer {
    func writeHeartbeat(token: HistoryToken, time: Timestamp) throws(OutputError) {}
}

extension HistoryEnd {
    /// The last line in formats without an end record.
    var aside: String { "\(count.counted("change"))\(hasMore ? ", more remain" : ""); token \(token)\n" }
}
