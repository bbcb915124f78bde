extension String {
    /// The word of `words` that this text most likely stands for: the one with the fewest letters to insert and delete,
    /// at most four. Case does not matter.
    func nearest(among words: some Sequence<String>) -> String? {
        let wanted = Array(lowercased())
        var best: (word: String, difference: Int)?
        for word in words where abs(word.count - wanted.count) < best?.difference ?? 5 {
            let difference = Array(word.lowercased()).difference(from: wanted).count
            if difference < best?.difference ?? 5 { best = (word, difference) }
        }
        return best?.word
    }
}
