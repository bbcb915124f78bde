import QuakeStore

/// Finds the quake whose feature had a hash.
///
/// The hashes are evenly spread already, so their low bits are the place: no second hashing. A refresh of 10,000 unchanged
/// features asks 10,000 times, and every page it touches for that is a new one: so the places hold numbers of four bytes.
struct FingerprintIndex {
    private let entries: [Fingerprint]
    /// In every place the number of an entry, from 1, negative once it was taken; 0 where the place is free.
    private var places: [Int32]
    private let mask: Int

    /// An index of `entries`. Of several with one hash the first counts; hash 0 means unknown and is left out.
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

    /// The key under which the hash was entered, once: the same bytes a second time are for the rules to judge.
    mutating func take(_ hash: Int64) -> Int64? {
        let place = place(of: hash)
        let number = places[place]
        guard hash != 0, number > 0 else { return nil }
        places[place] = -number
        return entries[Int(number) - 1].key
    }

    /// Where the hash stands, or the free place where it would.
    private func place(of hash: Int64) -> Int {
        var place = Int(truncatingIfNeeded: hash) & mask
        while places[place] != 0, entries[Int(abs(places[place])) - 1].hash != hash { place = (place + 1) & mask }
        return place
    }
}
