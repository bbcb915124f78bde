/// The rules' view of the store while a document is applied.
final class WriterView: CacheView {
    let writer: QuakeWriter
    let sourceTime: Timestamp
    private lazy var feedListings = Result { try writer.listedKeys() }
    private lazy var unsettledIDs = Result {
        Set(try writer.coverage().idsInQuestion.filter { $0.unsettledAnswers > 0 }.map { $0.id.lowercased() })
    }

    init(writer: QuakeWriter, sourceTime: Timestamp) {
        self.writer = writer
        self.sourceTime = sourceTime
    }

    func target(ofID id: String) throws -> AliasTarget? { try writer.target(ofID: id) }
    func knownQuake(_ key: QuakeKey) throws -> KnownQuake? { try writer.knownQuake(key) }
    func tombstone(of key: QuakeKey) throws -> Quake? { try writer.tombstone(of: key) }
    func isUnsettled(_ id: String) throws -> Bool { try unsettledIDs.get().contains(id.lowercased()) }

    /// Returns the quake whose preferred id is `id`.
    func quake(withOwnID id: String) throws -> KnownQuake? {
        guard case .live(let key)? = try target(ofID: id) else { return nil }
        guard let known = try knownQuake(key), known.stored.quake.id.isSameID(as: id) else { return nil }
        return known
    }

    func confirmedUntil(_ known: KnownQuake) throws -> Timestamp {
        let own = Timestamp(milliseconds: known.rowSource.sourceTime)
        return try feedListings.get().filter { $0.keys.contains(known.stored.key) }.map(\.sourceTime).reduce(own, max)
    }
}
