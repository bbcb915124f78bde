extension String {
    /// The first of `words` that has this in it or is in it; nil if this is one of them, or is too short or no words.
    func alike(among words: [String]) -> String? {
        let wanted = lowercased()
        guard count > 2, !words.contains(wanted), allSatisfy({ $0.isLetter || $0 == " " }) else { return nil }
        return words.first { $0.contains(wanted) || wanted.contains($0) }
    }

    /// The nearest of `words` in any case: the fewest letters to insert and delete, at most four; nil if none is near.
    func nearest(among words: some Sequence<String>) -> String? {
        let wanted = Array(lowercased())
        let limit = max(3, min(5, wanted.count / 2 + 1))
        return words.map { ($0, Array($0.lowercased()).difference(from: wanted).count) }
            .filter { $0.1 < limit }.min { $0.1 < $1.1 }?.0
    }
}
