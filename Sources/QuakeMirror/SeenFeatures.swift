/// Separates the features whose bytes the cache has already seen, which need not be decoded again, from new ones.
struct SeenFeatures {
    /// The keys of the quakes whose features have bytes that the cache has already seen.
    private(set) var keys: [QuakeKey] = []
    /// The positions of all other features.
    private(set) var others: [Int] = []
    private var hashes: Set<Int64> = []

    /// Divides the features of `snapshot` by the `fingerprints` of the quakes that it may list.
    init(in snapshot: FeedSnapshot, fingerprints: [Fingerprint]) {
        let keysByHash = Dictionary(fingerprints.map { ($0.hash, $0.key) }, uniquingKeysWith: { first, _ in first })
        for (position, feature) in snapshot.features.enumerated() {
            // A second feature with the same bytes must be judged.
            if let key = keysByHash[feature.hash], hashes.insert(feature.hash).inserted {
                keys.append(key)
            } else {
                others.append(position)
            }
        }
    }

    /// Returns whether the snapshot lists a seen quake again with different bytes.
    ///
    /// Of two features with the same id, only the first counts. Deciding which is first requires judging both in order,
    /// so no feature of such a document may be skipped.
    func isAnyListedAgain(in snapshot: FeedSnapshot, fingerprint: (_ id: String) throws -> Fingerprint?) rethrows
        -> Bool
    {
        guard !keys.isEmpty else { return false }
        return try others.contains { position in
            try snapshot.id(at: position).flatMap(fingerprint).map { hashes.contains($0.hash) } ?? false
        }
    }
}
