/// An entry in the history: changes that were applied together, with their author and source.
public struct HistoryTransaction: Hashable, Sendable {
    /// The id of the cache that contains the transaction.
    public var storeID: String
    /// The number of the transaction: see ``TransactionNumber``.
    public var number: TransactionNumber
    /// The commit time by the writer's clock. It is for display and lookup; only ``number`` determines the order.
    public var time: Timestamp
    /// A random number that is part of the token.
    package var fingerprint: UInt32
    /// The author of the context that wrote the transaction, such as `quakes.refresh` or `org.example.alarm`.
    public var author: String
    /// The token for the position after the transaction.
    public var token: HistoryToken { HistoryToken(storeID: storeID, number: number, fingerprint: fingerprint) }
    /// The purpose, such as the feed of a refresh or the description of a purge; nil if none was given.
    public var purpose: String?
    /// The id of the process that wrote the transaction.
    public var processID: Int64
    /// The host name of the machine that wrote the transaction.
    public var host: String
    /// The name and version of the program that wrote the transaction.
    public var program: String
    /// The snapshot that the transaction applied; nil if it applied none.
    public var provenance: Provenance?
    /// The transaction that this one undid; nil if it was not an undo.
    public var undoes: TransactionNumber?
    public var counts = Counts()

    /// The number of changes of each kind in a transaction.
    public struct Counts: Hashable, Sendable {
        public var inserted: Int
        public var updated: Int
        public var deleted: Int

        public init(inserted: Int = 0, updated: Int = 0, deleted: Int = 0) {
            self.inserted = inserted
            self.updated = updated
            self.deleted = deleted
        }

        package var total: Int { inserted + updated + deleted }
    }

    /// The source and metadata of a snapshot.
    public struct Provenance: Hashable, Sendable {
        /// The URL of the snapshot. For a file, this is the URL that the document contains or, if it has none,
        /// the file's path.
        public var url: String?
        /// The time at which the source generated the snapshot.
        public var generated: Timestamp?
        /// The ETag from the source.
        package var etag: String?
        /// The number of features in the snapshot.
        package var featureCount: Int?

        public init(url: String? = nil, generated: Timestamp? = nil) {
            self.url = url
            self.generated = generated
        }

        package init(url: String? = nil, generated: Timestamp? = nil, etag: String?, featureCount: Int?) {
            self.init(url: url, generated: generated)
            self.etag = etag
            self.featureCount = featureCount
        }
    }

    package init(
        storeID: String, number: TransactionNumber, time: Timestamp, fingerprint: UInt32, author: String,
        purpose: String?, processID: Int64, host: String, program: String, provenance: Provenance?,
        undoes: TransactionNumber? = nil
    ) {
        self.storeID = storeID
        self.number = number
        self.time = time
        self.fingerprint = fingerprint
        self.author = author
        self.purpose = purpose
        self.processID = processID
        self.host = host
        self.program = program
        self.provenance = provenance
        self.undoes = undoes
    }
}
