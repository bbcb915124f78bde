/// A summary of the decisions on a document's features so far.
struct SnapshotOutcome {
    /// The keys of the quakes that the document lists.
    private(set) var listed: Set<QuakeKey> = []
    /// The keys in ``listed``, in the order in which they were added. Usually they are ascending or descending.
    private var listedInOrder: [QuakeKey] = []
    private var unconfirmed: Set<QuakeKey> = []
    /// The ids that are in question because of the features.
    private(set) var idsInQuestion: [IDInQuestion] = []
    /// The quakes whose origin times lose their coverage (``FeatureDecision/undecidedQuakes``).
    private(set) var undecidedQuakes: [Quake] = []
    /// The origin times for which features disagree with newer information in the cache.
    private(set) var disputedOriginTimes: Set<Timestamp> = []

    /// - Parameter features: the number of features in the document.
    init(features: Int = 0) {
        listed.reserveCapacity(features)
        listedInOrder.reserveCapacity(features)
    }

    /// The keys of the quakes whose cached values the document confirms.
    var confirmed: ListedKeys {
        let keys = unconfirmed.isEmpty ? listedInOrder : listedInOrder.filter { !unconfirmed.contains($0) }
        guard let first = keys.first, let last = keys.last, last < first else { return ListedKeys(keys) }
        // Sorting almost ascending keys takes a fraction of the time of sorting almost descending ones.
        return ListedKeys(keys.reversed())
    }

    mutating func add(_ decision: FeatureDecision) {
        decision.listed.forEach { list($0) }
        unconfirmed.formUnion(decision.unconfirmed)
        idsInQuestion += decision.idsInQuestion
        undecidedQuakes += decision.undecidedQuakes
        disputedOriginTimes.formUnion(decision.disputedOriginTimes)
    }

    /// Adds quakes that the document lists with their cached values.
    mutating func list(_ keys: [QuakeKey]) {
        keys.forEach { list($0) }
    }

    /// Adds one quake that the document lists, such as one that was just inserted.
    mutating func list(_ key: QuakeKey) {
        if listed.insert(key).inserted { listedInOrder.append(key) }
    }
}
