/// Separates the features whose bytes the cache has already seen, which need not be decoded again, from new ones.
struct SeenFeatures {
    /// The keys of the quakes whose features have bytes that the cache has already seen.
    private(set) var keys: [QuakeKey] = []
    /// The positions of all other features.
    private(set) var others: [Int] = []
    private var index: HashIndex

    /// Divides the features of `snapshot` by the `fingerprints` of the quakes that it may list.
    init(in snapshot: FeedSnapshot, fingerprints: [Fingerprint]) {
        index = HashIndex(fingerprints)
        keys.reserveCapacity(snapshot.features.count)
        for (position, feature) in snapshot.features.enumerated() {
            if let key = index.take(feature.hash) { keys.append(key) } else { others.append(position) }
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
            try snapshot.id(at: position).flatMap(fingerprint).map { index.isTaken($0.hash) } ?? false
        }
    }
}

/// A hash table from feature hashes to quakes. The hashes are evenly distributed, so their low bits select the slot. A
/// slot has only four bytes, because a refresh of 10,000 unchanged features touches a new memory page for each.
struct HashIndex {
    private let entries: [Fingerprint]
    /// The number of the entry in each slot, counted from 1 and negative once taken; 0 for a free slot.
    private var places: [Int32]
    private let mask: Int

    /// Creates an index of `entries`. Of entries with the same hash, the first counts. Hash 0 (unknown) is omitted.
    init(_ entries: [Fingerprint]) {
        self.entries = entries
        var capacity = 16
        while capacity < entries.count * 2 { capacity *= 2 }
        mask = capacity - 1
        places = Array(repeating: 0, count: capacity)
        for (index, entry) in entries.enumerated() where entry.hash != 0 {
            let place = place(of: entry.hash)
            if places[place] == 0 { places[place] = Int32(index + 1) }
        }
    }

    /// Returns the key for the hash, but only once, because a second feature with the same bytes must be judged.
    mutating func take(_ hash: Int64) -> QuakeKey? {
        let place = place(of: hash)
        let number = places[place]
        guard hash != 0, number > 0 else { return nil }
        places[place] = -number
        return entries[Int(number) - 1].key
    }

    /// Returns whether ``take(_:)`` has returned the key for the hash.
    func isTaken(_ hash: Int64) -> Bool { hash != 0 && places[place(of: hash)] < 0 }

    /// Returns the slot that contains the hash, or else the free slot for it.
    private func place(of hash: Int64) -> Int {
        var place = Int(truncatingIfNeeded: hash) & mask
        while places[place] != 0, entries[Int(abs(places[place])) - 1].hash != hash { place = (place + 1) & mask }
        return place
    }
}
