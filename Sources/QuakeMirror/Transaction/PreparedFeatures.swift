/// The features of a document, compared with the cache and, as far as possible, decoded before the cache is locked for
/// writing.
///
/// The first 500 features that the cache has not seen are decoded in advance; most documents have fewer. In a first
/// import, the others are decoded on another core while earlier ones are written, because writing takes longer than
/// decoding. Unusually large features are always decoded in advance, so that a document that is slow to decode does not
/// keep other programs from writing.
struct PreparedFeatures {
    /// The number of small features that are decoded in advance.
    private static let maximumSmallFeatures = 500

    let snapshot: FeedSnapshot
    /// The fingerprints (key, origin time and hash) of the cached quakes that the document may list.
    let fingerprints: [Fingerprint]
    /// The keys of quakes with features whose bytes the cache has already seen.
    let seenKeys: [QuakeKey]
    /// The positions of the features to judge, from the last to the first if the document begins with its newest quake,
    /// so that the history begins with the oldest.
    let indicesToJudge: [Int]
    /// The features decoded so far, keyed by position.
    private(set) var decoded: FeatureDecoder.Known = [:]
    /// The ids of features that cannot be decoded and are marked as deleted, keyed by position.
    private var deletedIDs: [Int: String] = [:]
    private let skipsUnchanged: Bool
    private let cacheVersion: Int64?

    /// Compares the features with the cache.
    ///
    /// - Parameters:
    ///   - skipsUnchanged: whether features whose bytes the cache has already seen need not be judged.
    init(_ snapshot: FeedSnapshot, skipsUnchanged: Bool, in sources: SourceRecords) throws {
        self.snapshot = snapshot
        self.skipsUnchanged = skipsUnchanged
        cacheVersion = try sources.version()
        fingerprints =
            try snapshot.window.map(sources.fingerprints)
            ?? snapshot.features.indices.compactMap { try snapshot.id(at: $0).flatMap(sources.fingerprint) }
        let features = SeenFeatures(in: snapshot, fingerprints: skipsUnchanged ? fingerprints : [])
        let mustJudgeAll = try features.isAnyListedAgain(in: snapshot, fingerprint: sources.fingerprint)
        seenKeys = mustJudgeAll ? [] : features.keys
        let others = mustJudgeAll ? Array(snapshot.features.indices) : features.unseenIndices
        self.indicesToJudge = others.count > 1 && snapshot.listsNewestFirst ? others.reversed() : others
    }

    /// Decodes features in advance.
    mutating func decode() {
        var small = 0
        let indices = indicesToJudge.filter { index in
            if snapshot.features[index].isUnusuallyLarge { return true }
            small += 1
            return small <= Self.maximumSmallFeatures
        }
        FeatureDecoder(snapshot, indices: indices).forEach { index, result in
            decoded[index] = result
            if case .failure = result { deletedIDs[index] = snapshot.deletedFeature(at: index)?.id }
        }
    }

    /// Returns the same features, compared again if the cache has changed since.
    func updated(from sources: SourceRecords) throws -> PreparedFeatures {
        guard try sources.version() != cacheVersion else { return self }
        var new = try PreparedFeatures(snapshot, skipsUnchanged: skipsUnchanged, in: sources)
        new.decoded = decoded
        new.deletedIDs = deletedIDs
        return new
    }

    /// Returns the id of the undecodable feature at `index` if the feature is marked as deleted; otherwise nil.
    func deletedID(at index: Int) -> String? {
        decoded[index] == nil ? snapshot.deletedFeature(at: index)?.id : deletedIDs[index]
    }
}

extension FeedSnapshot {
    /// Whether the newest quake comes first, as in feeds. The event service is asked for the oldest first.
    fileprivate var listsNewestFirst: Bool {
        guard features.count > 1 else { return false }
        var times: [Timestamp] = []
        FeatureDecoder(self, indices: [0, features.count - 1]).forEach { _, result in
            if case .success(let quake) = result { times.append(quake.originTime) }
        }
        return times.count == 2 && times[0] > times[1]
    }
}

/// Separates the features whose bytes the cache has already seen from new features. Seen features need not be decoded
/// again.
private struct SeenFeatures {
    /// The keys of the quakes whose features have bytes that the cache has already seen.
    private(set) var keys: [QuakeKey] = []
    /// The positions of all other features.
    private(set) var unseenIndices: [Int] = []
    private var hashes: Set<Int64> = []

    /// Separates the features of `snapshot` by the `fingerprints` of the cached quakes that the snapshot may list.
    init(in snapshot: FeedSnapshot, fingerprints: [Fingerprint]) {
        let keysByHash = Dictionary(fingerprints.map { ($0.hash, $0.key) }, uniquingKeysWith: { first, _ in first })
        for (position, feature) in snapshot.features.enumerated() {
            // A second feature with the same bytes must be judged.
            if let key = keysByHash[feature.hash], hashes.insert(feature.hash).inserted {
                keys.append(key)
            } else {
                unseenIndices.append(position)
            }
        }
    }

    /// Returns whether the snapshot lists a seen quake again with different bytes.
    ///
    /// Of two features with the same id, only the one judged first counts. Both must be judged to find out which one
    /// that is, so no feature of such a document may be skipped.
    func isAnyListedAgain(in snapshot: FeedSnapshot, fingerprint: (_ id: String) throws -> Fingerprint?) rethrows
        -> Bool
    {
        guard !keys.isEmpty else { return false }
        return try unseenIndices.contains { position in
            try snapshot.id(at: position).flatMap(fingerprint).map { hashes.contains($0.hash) } ?? false
        }
    }
}
