extension Sequence {
    /// Returns the elements in the same order, keeping only the first with each `key`.
    func distinct<Key: Hashable>(by key: (Element) throws -> Key) rethrows -> [Element] {
        var keys: Set<Key> = []
        return try filter { keys.insert(try key($0)).inserted }
    }
}
