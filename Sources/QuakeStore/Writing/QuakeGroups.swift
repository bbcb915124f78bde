/// Disjoint groups of quakes. Each is identified by the key of one member.
struct QuakeGroups {
    /// A member of the same group, closer to the one that identifies it.
    private var parents: [QuakeKey: QuakeKey] = [:]

    func group(of key: QuakeKey) -> QuakeKey {
        var key = key
        while let parent = parents[key] { key = parent }
        return key
    }

    /// Unites the groups of two quakes.
    mutating func join(_ first: QuakeKey, _ second: QuakeKey?) {
        let group = group(of: first)
        guard let other = second.map({ self.group(of: $0) }), other != group else { return }
        parents[max(group, other)] = min(group, other)
    }
}
