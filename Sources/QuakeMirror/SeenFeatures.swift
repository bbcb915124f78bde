/// The features of a snapshot, divided by whether the cache has seen their bytes: one that it has need not be decoded.
struct SeenFeatures {
    /// Keys of the quakes whose features stand in the snapshot in the very bytes the cache has seen.
    private(set) var keys: [QuakeKey] = []
    /// Positions of all other features.
    private(set) var others: [Int] = []
    private var index: HashIndex

    /// Divides the features of `snapshot` by the `fingerprints` of the quakes it may list.
    init(in snapshot: FeedSnapshot, fingerprints: [Fingerprint]) {
        index = HashIndex(fingerprints)
        keys.reserveCapacity(snapshot.features.count)
        for (position, feature) in snapshot.features.enumerated() {
            if let key = index.take(feature.hash) { keys.append(key) } else { others.append(position) }
        }
    }

    /// Whether a quake whose feature was seen is listed a second time, in other bytes.
    ///
    /// Of two features with one id the first stands. That only shows when both are judged in their order, so that no
    /// feature of such a document may be skipped.
    func isAnyListedAgain(in snapshot: FeedSnapshot, fingerprint: (_ id: String) throws -> Fingerprint?) rethrows
        -> Bool
    {
        guard !keys.isEmpty else { return false }
        return try others.contains { position in
            try snapshot.id(at: position).flatMap(fingerprint).map { index.isTaken($0.hash) } ?? false
        }
    }
}

/// Finds the quake whose feature had a hash. The hashes are evenly spread, so their low bits are the place. A refresh
/// of 10,000 unchanged features touches a new page of memory for each, so the places hold four bytes.
struct HashIndex {
    private let entries: [Fingerprint]
    /// In every place the number of an entry, from 1, negative once it was taken; 0 where the place is free.
    private var places: [Int32]
    private let mask: Int

    /// Creates an index of `entries`. Of several with one hash the first counts; hash 0 means unknown and is left out.
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

    /// The key entered under the hash, the first time it is asked for: the same bytes a second time must be judged.
    mutating func take(_ hash: Int64) -> QuakeKey? {
        let place = place(of: hash)
        let number = places[place]
        guard hash != 0, number > 0 else { return nil }
        places[place] = -number
        return entries[Int(number) - 1].key
    }

    /// Whether ``take(_:)`` has given away the key under the hash.
    func isTaken(_ hash: Int64) -> Bool { hash != 0 && places[place(of: hash)] < 0 }

    /// Where the hash stands, or the free place where it would.
    private func place(of hash: Int64) -> Int {
        var place = Int(truncatingIfNeeded: hash) & mask
        while places[place] != 0, entries[Int(abs(places[place])) - 1].hash != hash { place = (place + 1) & mask }
        return place
    }
}
