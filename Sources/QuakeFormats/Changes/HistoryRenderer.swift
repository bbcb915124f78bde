package import QuakeModel

/// Writes the events of a history in one machine-readable format.
package protocol HistoryRenderer: AnyObject {
    func write(_ event: HistoryEvent)
    /// Writes a heartbeat, which reports that everything up to `token` was written. CSV and TSV have no heartbeats.
    func writeHeartbeat(token: HistoryToken, time: Timestamp)
    /// Writes any text after the last event.
    func end()
}

extension HistoryRenderer {
    package func writeHeartbeat(token: HistoryToken, time: Timestamp) {}
    package func end() {}
}
