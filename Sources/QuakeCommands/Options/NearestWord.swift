extension String {
    /// Returns the most similar word, ignoring case, with at most four insertions and deletions; nil if there is none.
    func nearest(among words: some Sequence<String>) -> String? {
        let wanted = Array(lowercased())
        let limit = max(3, min(5, wanted.count / 2 + 1))
        return words.map { ($0, Array($0.lowercased()).difference(from: wanted).count) }
            .filter { $0.1 < limit }.min { $0.1 < $1.1 }?.0
    }
}
