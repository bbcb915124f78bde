import QuakeModel
import QuakeStore

/// The store as the rules see it during one transaction.
final class WriterView: CacheView {
    private let writer: QuakeWriter
    private let generated: Timestamp
    private let feed: String
    private var newerRosters: [(generated: Timestamp, roster: ListedKeys)]?

    init(writer: QuakeWriter, generated: Timestamp, feed: String) {
        self.writer = writer
        self.generated = generated
        self.feed = feed
    }

    func target(ofID id: String) throws -> AliasTarget? { try writer.target(ofID: id) }

    func knownQuake(_ key: Int64) throws -> KnownQuake? { try writer.knownQuake(key) }

    func confirmedUntil(_ known: KnownQuake) throws -> Timestamp {
        let own = Timestamp(milliseconds: known.rowSource.generated)
        return try rostersNewerThanSnapshot().filter { $0.roster.contains(known.stored.key) }
            .map(\.generated).reduce(own, max)
    }

    /// Only rosters newer than the snapshot can tell that it is too old; mostly there are none.
    private func rostersNewerThanSnapshot() throws -> [(generated: Timestamp, roster: ListedKeys)] {
        if let newerRosters { return newerRosters }
        let rosters = try writer.listedKeys(newerThan: generated).filter { $0.feed != feed }
            .map { (generated: $0.generated, roster: $0.listedKeys) }
        newerRosters = rosters
        return rosters
    }
}
