extension Sequence {
    /// Returns the elements without those whose `key` an earlier one has, in the same order.
    func distinct<Key: Hashable>(by key: (Element) throws -> Key) rethrows -> [Element] {
        var keys: Set<Key> = []
        return try filter { keys.insert(try key($0)).inserted }
    }
}
