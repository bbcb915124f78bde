/// The local keys of the quakes in a feed's newest snapshot. The keys are stored in ascending order, each as the
/// difference from the previous key in a variable number of bytes: about one byte per quake.
///
/// The cache must know which snapshot last confirmed each quake, so that an older response from a slower server is not
/// applied. Recording the snapshot in every row would rewrite 10,000 rows at each refresh, even without changes. So a
/// quake's row records the snapshot only when the quake leaves the list.
package struct ListedKeys: Sendable, Equatable {
    /// The keys, in ascending order.
    package let keys: [QuakeKey]

    package init(_ keys: some Sequence<QuakeKey>) { self.keys = keys.sorted() }

    package func contains(_ key: QuakeKey) -> Bool {
        var low = 0
        var high = keys.count
        while low < high {
            let middle = (low + high) / 2
            if keys[middle] < key { low = middle + 1 } else { high = middle }
        }
        return low < keys.count && keys[low] == key
    }

    package func subtracting(_ other: ListedKeys) -> [QuakeKey] { keys.filter { !other.contains($0) } }

    init(packed bytes: [UInt8]) {
        var keys: [QuakeKey] = []
        keys.reserveCapacity(bytes.count)
        var previous = Int64(0)
        var value = Int64(0)
        var shift = Int64(0)
        for byte in bytes {
            value |= Int64(byte & 0x7F) << shift
            guard byte & 0x80 == 0 else {
                shift += 7
                continue
            }
            previous &+= value
            keys.append(QuakeKey(previous))
            value = 0
            shift = 0
        }
        self.keys = keys
    }

    var packed: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(keys.count * 2)
        var previous: Int64 = 0
        for key in keys {
            var step = key.rawValue - previous
            previous = key.rawValue
            while step > 0x7F {
                bytes.append(UInt8(step & 0x7F) | 0x80)
                step >>= 7
            }
            bytes.append(UInt8(step))
        }
        return bytes
    }
}

extension ListedKeys: SQLValue {
    func bind(to statement: Statement, at index: Int32) throws { try statement.bind(index, blob: packed) }
}
