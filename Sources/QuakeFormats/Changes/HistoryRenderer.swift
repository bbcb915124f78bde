package import QuakeModel

/// Writes the events of a history in one format for programs.
package protocol HistoryRenderer: AnyObject {
    func write(_ event: HistoryEvent)
    /// Reports that everything up to `token` was written, in formats that can be followed.
    func writeHeartbeat(token: HistoryToken, time: Timestamp)
    /// Writes any text after the last event.
    func end()
}

extension HistoryRenderer {
    package func writeHeartbeat(token: HistoryToken, time: Timestamp) {}
    package func end() {}
}
