import QuakeModel

/// Writes the events of a history in one format.
protocol ChangesRenderer: AnyObject {
    func write(_ event: HistoryEvent) throws(OutputError)
    /// Writes a record which says that everything up to `token` was written. Called only for formats that `--follow`
    /// supports.
    func writeHeartbeat(token: HistoryToken, time: Timestamp) throws(OutputError)
    /// Writes the end of the output and flushes.
    func finish() throws(OutputError)
}

extension ChangesRenderer {
    func writeHeartbeat(token: HistoryToken, time: Timestamp) throws(OutputError) {}
}

extension HistoryEnd {
    /// The last line for formats without an end record: the number of changes and the token.
    var closingLine: String { "\(count.counted("change"))\(hasMore ? ", more remain" : ""); token \(token)\n" }
}
