/// Disjoint groups of quakes. Each group is identified by its lowest key.
struct DisjointQuakeSets {
    /// For each quake that does not identify its group, a member of the group with a lower key.
    private var parents: [QuakeKey: QuakeKey] = [:]

    func representative(of key: QuakeKey) -> QuakeKey {
        var key = key
        while let parent = parents[key] { key = parent }
        return key
    }

    /// Unites the groups of two quakes. Does nothing if `second` is nil.
    mutating func join(_ first: QuakeKey, _ second: QuakeKey?) {
        let group = representative(of: first)
        guard let other = second.map({ self.representative(of: $0) }), other != group else { return }
        parents[max(group, other)] = min(group, other)
    }
}
