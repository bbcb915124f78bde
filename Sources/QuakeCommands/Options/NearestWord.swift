import QuakeModel

extension String {
    /// Up to three of `words` that have this in them, otherwise the nearest; none if none is near, or for one of them,
    /// for fewer than three letters, and for a list.
    func alike(among words: [String]) -> [String] {
        let wanted = QuakeFilter.folded(self)
        guard count > 2, !contains(where: "!,".contains), !words.contains(wanted) else { return [] }
        let found = words.filter { QuakeFilter.folded($0).contains(wanted) }
        return found.isEmpty ? [nearest(among: words)].compactMap(\.self) : Array(found.prefix(3))
    }

    /// The nearest of `words` in any case: the fewest letters to insert and delete, at most four; nil if none is near.
    func nearest(among words: some Sequence<String>) -> String? {
        let wanted = Array(lowercased())
        let limit = max(3, min(5, wanted.count / 2 + 1))
        return words.map { ($0, Array($0.lowercased()).difference(from: wanted).count) }
            .filter { $0.1 < limit }.min { $0.1 < $1.1 }?.0
    }
}
