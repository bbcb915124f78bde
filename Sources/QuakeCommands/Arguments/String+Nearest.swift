import QuakeModel

extension String {
    /// Returns up to three of `words` that contain this text, otherwise the most similar one. Returns none if the text
    /// is a list, has fewer than three letters, or is one of the words.
    func alike(among words: [String]) -> [String] {
        let wanted = ComparedText.folded(self)
        guard count > 2, !contains(where: "!,".contains), !words.contains(wanted) else { return [] }
        let found = words.filter { ComparedText.folded($0).contains(wanted) }
        return found.isEmpty ? [nearest(among: words)].compactMap(\.self) : Array(found.prefix(3))
    }

    /// Returns the most similar word, ignoring case, with at most four insertions and deletions; nil if there is none,
    /// or if this text is too long to be a misspelled word.
    func nearest(among words: some Sequence<String>) -> String? {
        guard count <= 100 else { return nil }
        let wanted = Array(lowercased())
        let limit = max(3, min(5, wanted.count / 2 + 1))
        return words.map { ($0, Array($0.lowercased()).difference(from: wanted).count) }
            .filter { $0.1 < limit }.min { $0.1 < $1.1 }?.0
    }
}
