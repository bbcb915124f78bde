/// One entry of the history: what was applied together, by whom, and from which source.
public struct HistoryTransaction: Hashable, Codable, Sendable {
    /// The id of the cache it belongs to.
    public var storeID: String
    /// Ascending, never used again.
    public var number: TransactionNumber
    /// When it was committed, by the clock of the machine that wrote it. For reading only: order is by number.
    public var time: Timestamp
    /// Drawn at random; part of the token.
    public var fingerprint: UInt32
    /// Who asked for it: `quakes.refresh`, `quakes.purge`, or the author of a context.
    public var author: String
    /// The token for the place after it.
    public var token: HistoryToken { HistoryToken(storeID: storeID, number: number, fingerprint: fingerprint) }
    /// What it is for: the feed of a refresh, the words of a purge.
    public var context: String?
    /// The process that wrote it.
    public var processID: Int64
    /// The machine it ran on.
    public var host: String
    /// Name and version of the program that wrote it.
    public var program: String
    /// The snapshot that the transaction applied, if any.
    public var provenance: Provenance?
    /// How many changes of each kind it holds.
    public var counts = Counts()

    /// How many changes of each kind a transaction holds.
    public struct Counts: Hashable, Codable, Sendable {
        public var inserted: Int
        public var updated: Int
        public var deleted: Int

        /// Counts; zero without arguments.
        public init(inserted: Int = 0, updated: Int = 0, deleted: Int = 0) {
            (self.inserted, self.updated, self.deleted) = (inserted, updated, deleted)
        }

        public var total: Int { inserted + updated + deleted }
    }

    /// Where a snapshot came from, and its own data about itself.
    public struct Provenance: Hashable, Codable, Sendable {
        /// The address or file it was read from.
        public var url: String?
        /// The `generated` time of the snapshot.
        public var generated: Timestamp?
        /// The ETag the source gave.
        public var etag: String?
        /// Features in the snapshot.
        public var featureCount: Int?

        /// A provenance; without arguments, an unknown one.
        public init(
            url: String? = nil, generated: Timestamp? = nil, etag: String? = nil, featureCount: Int? = nil
        ) {
            (self.url, self.generated, self.etag, self.featureCount) = (url, generated, etag, featureCount)
        }
    }

    /// A transaction as the store has recorded it.
    public init(
        storeID: String, number: TransactionNumber, time: Timestamp, fingerprint: UInt32, author: String,
        context: String?,
        processID: Int64,
        host: String, program: String, provenance: Provenance?
    ) {
        (self.storeID, self.number, self.time, self.fingerprint) = (storeID, number, time, fingerprint)
        (self.author, self.context, self.processID, self.host) = (author, context, processID, host)
        (self.program, self.provenance) = (program, provenance)
    }
}
