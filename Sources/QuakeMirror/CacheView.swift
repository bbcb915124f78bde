import QuakeModel
import QuakeStore

/// What the rules ask of the cache. The store answers in production, a dictionary in tests.
protocol CacheView: IdentityView {
    /// The `generated` of the newest snapshot, of any feed, that listed or decided the quake.
    func confirmedUntil(_ known: KnownQuake) throws -> Timestamp
}

/// The store as the rules see it while a snapshot of one feed is applied.
final class WriterView: CacheView {
    private let writer: QuakeWriter
    private let generated: Timestamp
    private let feed: String
    private var newerLists: [(generated: Timestamp, keys: ListedKeys)]?

    /// Creates the view for the snapshot of `feed` made at `generated`.
    init(writer: QuakeWriter, generated: Timestamp, feed: String) {
        (self.writer, self.generated, self.feed) = (writer, generated, feed)
    }

    func target(ofID id: String) throws -> AliasTarget? { try writer.target(ofID: id) }

    func knownQuake(_ key: QuakeKey) throws -> KnownQuake? { try writer.knownQuake(key) }

    func confirmedUntil(_ known: KnownQuake) throws -> Timestamp {
        let own = Timestamp(milliseconds: known.rowSource.generated)
        return try listsNewerThanSnapshot().filter { $0.keys.contains(known.stored.key) }
            .map(\.generated).reduce(own, max)
    }

    /// Only what newer snapshots listed can tell that this one is too old. Mostly there are none.
    private func listsNewerThanSnapshot() throws -> [(generated: Timestamp, keys: ListedKeys)] {
        if let newerLists { return newerLists }
        let lists = try writer.listedKeys(newerThan: generated).filter { $0.feed != feed }
            .map { (generated: $0.generated, keys: $0.listedKeys) }
        newerLists = lists
        return lists
    }
}
