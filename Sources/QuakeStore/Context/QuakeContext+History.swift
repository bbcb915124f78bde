extension QuakeContext {
    /// Returns the events of the requested history. The last event contains the token for the next fetch. For a long
    /// history, see ``StoreHistory/fetch(_:resyncs:_:)``, which keeps one event at a time in memory.
    public func fetchHistory(_ descriptor: HistoryDescriptor = HistoryDescriptor()) throws -> [HistoryEvent] {
        var events: [HistoryEvent] = []
        try history.fetch(descriptor) { events.append($0) }
        return events
    }
}
