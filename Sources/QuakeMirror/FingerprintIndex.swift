import QuakeStore

/// Finds the quake whose feature had a hash.
///
/// The hashes are evenly spread already, so their low bits are the place: no second hashing, one array. A refresh of
/// 10,000 unchanged features asks 10,000 times.
struct FingerprintIndex {
    private var slots: [(hash: Int64, key: Int64)]
    private let mask: Int

    /// An index of `entries`. Of several with one hash the first counts; hash 0 means unknown and is left out.
    init(_ entries: some Collection<Fingerprint>) {
        var capacity = 16
        while capacity < entries.count * 2 { capacity *= 2 }
        mask = capacity - 1
        slots = Array(repeating: (hash: 0, key: 0), count: capacity)
        for entry in entries where entry.hash != 0 {
            let place = place(of: entry.hash)
            if slots[place].hash == 0 { slots[place] = (entry.hash, entry.key) }
        }
    }

    /// The key under which the hash was entered, once: the same bytes a second time are for the rules to judge.
    mutating func take(_ hash: Int64) -> Int64? {
        let place = place(of: hash)
        guard hash != 0, slots[place].hash == hash, slots[place].key != FingerprintIndex.taken else { return nil }
        defer { slots[place].key = FingerprintIndex.taken }
        return slots[place].key
    }

    /// No local key: those begin at one.
    private static let taken: Int64 = 0

    /// Where the hash stands, or the free place where it would.
    private func place(of hash: Int64) -> Int {
        var place = Int(truncatingIfNeeded: hash) & mask
        while slots[place].hash != 0, slots[place].hash != hash { place = (place + 1) & mask }
        return place
    }
}
