import QuakeSystem

/// Reads the lists of one iterator, on the iterator's own connection.
actor ListReader {
    private let interval: Duration
    private let query: ListQuery
    private let follower: HistoryFollower
    /// The last list, the position in the history at which it was read, and the number of its query.
    private var last: (quakes: [StoredQuake], token: HistoryToken, number: Int)?
    private let executor = ThreadExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ cache: QuakeCache, _ query: ListQuery, every interval: Duration) {
        self.query = query
        self.interval = interval
        follower = HistoryFollower(cache, patience: nil)
    }

    func next() async throws -> [StoredQuake]? {
        try StoreError.require("interval", interval, atLeast: HistoryFollower.minimumInterval)
        while !Task.isCancelled {
            let form = query.numberedQuery
            if let quakes = try follower.readIfChanged(or: form.number != last?.number, { try read(form, in: $0) }) {
                return quakes
            }
            do { try await Task.sleep(for: interval) } catch { break }
        }
        return nil
    }

    /// Returns the quakes that `context` sees; nil if the list has not changed.
    private func read(_ form: ListQuery.NumberedQuery, in context: QuakeContext) throws -> [StoredQuake]? {
        try context.snapshot {
            let head = try context.history.currentToken()
            guard head != last?.token || form.number != last?.number else { return nil }
            let quakes = try context.fetch(form.descriptor)
            defer { last = (quakes, head, form.number) }
            return quakes == last?.quakes ? nil : quakes
        }
    }
}
