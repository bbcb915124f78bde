/// The response to a reader whose start is unusable: an event that tells the reader to drop everything, then every
/// quake that the filter accepts, read one at a time. An open read transaction keeps the state unchanged meanwhile.
final class Resync {
    private let descriptor: HistoryDescriptor
    private let fault: TokenFault
    /// The publication time of the newest snapshot; without one, the time of the last transaction, if any.
    private let newest: Timestamp?
    private let statement: Statement
    /// The session that reads the state. If the session is pinned, holding it keeps the state readable.
    private let session: StoreSession
    private let now: Timestamp
    /// The end event of the response, with the numbers of events delivered and changes skipped so far.
    private var end: HistoryEnd
    private var hasEnded = false

    /// - Parameter session: the session that reads the state to deliver. The state must not change meanwhile, so the
    ///   session must be pinned or inside a snapshot.
    init(_ descriptor: HistoryDescriptor, _ fault: TokenFault, in session: StoreSession) throws {
        self.descriptor = descriptor
        self.fault = fault
        self.session = session
        now = session.configuration.now()
        let history = StoreHistory(session: session)
        let database = try session.database()
        let head = try history.currentToken()
        let floor = try history.floor()
        end = HistoryEnd(token: head, newest: head, trimmedThrough: floor.number, hasMore: false, count: 0)
        // Use the newest time of any feed, because the document applied last may be an old one.
        newest =
            try database.timestamp("SELECT max(generated) FROM main.feeds")
            ?? history.transaction(head.number)?.time ?? floor.time
        statement = try database.prepare(session.source.queryOrderedByKey(FilterSQL(descriptor.filter, in: database)))
    }

    /// Returns the next event; nil after the end.
    func next() throws -> HistoryEvent? {
        guard !hasEnded else { return nil }
        guard end.count > 0 else {
            end.count = 1
            return .dropEverything(fault)
        }
        while try statement.step() {
            let key = statement.key(0)
            if let keys = descriptor.quakeKeys, !keys.contains(key) { continue }
            var quake = statement.quake(from: 1)
            let timeliness = newest.flatMap { Timeliness(originTime: quake.originTime, at: $0) }
            guard descriptor.isRecentEnough(quake, timeliness, at: now) else {
                end.skipped.add(quake)
                continue
            }
            quake.keepOnly(descriptor.propertiesToKeep)
            end.count += 1
            return .resync(ResyncedQuake(stored: StoredQuake(key: key, quake: quake), timeliness: timeliness))
        }
        hasEnded = true
        return .end(end)
    }
}
