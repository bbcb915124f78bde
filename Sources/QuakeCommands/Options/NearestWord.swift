extension String {
    /// The word of `words` that this text most likely stands for: the one with the fewest letters to insert and delete,
    /// at most four, and fewer in a short text. Case does not matter. Nil if none is near.
    func nearest(among words: some Sequence<String>) -> String? {
        let wanted = Array(lowercased())
        var best: (word: String, difference: Int)?
        let limit = max(3, min(5, wanted.count / 2 + 1))
        for word in words where abs(word.count - wanted.count) < best?.difference ?? limit {
            let difference = Array(word.lowercased()).difference(from: wanted).count
            if difference < best?.difference ?? limit { best = (word, difference) }
        }
        return best?.word
    }
}
