/// The response to a reader whose start is unusable: an event that drops everything, then every quake that the filter
/// accepts, using constant memory. The connection's transaction keeps the state unchanged meanwhile.
final class Resync {
    private let descriptor: HistoryDescriptor
    private let fault: TokenFault
    /// The time of the newest snapshot.
    private let newest: Timestamp?
    private let statement: Statement
    /// The generation that preserves the state if no transaction of the context does.
    private let generation: HeldGeneration?
    private let now: Timestamp
    /// The end of the response, with what has been delivered and skipped so far.
    private var end: HistoryEnd
    private var hasEnded = false

    /// - Parameter generation: the state to deliver; nil for the state that `context` reads, which must not change.
    init(
        _ descriptor: HistoryDescriptor, _ fault: TokenFault, in context: QuakeContext,
        of generation: HeldGeneration? = nil
    ) throws {
        (self.descriptor, self.fault, self.generation) = (descriptor, fault, generation)
        now = context.cache.configuration.now()
        (end, newest, statement) = try context.reading(generation) {
            let (head, floor) = (try context.history.head(), try context.history.floor())
            // Use the newest time of any feed, because the document applied last may be an old one.
            let newest = try context.sources.feeds().compactMap(\.generated).max()
            let statement = try context.database().prepare(context.source().byKey(context.sql(of: descriptor.filter)))
            let learned = try context.history.transaction(head.number).map(\.time)
            let end = HistoryEnd(token: head, head: head, floor: floor.number, hasMore: false, count: 0)
            return (end, newest ?? learned ?? floor.time, statement)
        }
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
