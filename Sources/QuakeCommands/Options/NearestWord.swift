extension String {
    /// Returns the most similar of `words`, ignoring case: the one with the fewest insertions and deletions, at most
    /// four. Nil if none is similar.
    func nearest(among words: some Sequence<String>) -> String? {
        let wanted = Array(lowercased())
        let limit = max(3, min(5, wanted.count / 2 + 1))
        return words.map { ($0, Array($0.lowercased()).difference(from: wanted).count) }
            .filter { $0.1 < limit }.min { $0.1 < $1.1 }?.0
    }
}
