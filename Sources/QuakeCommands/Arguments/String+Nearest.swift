import QuakeModel

extension String {
    /// Returns up to three of `words` that contain this text; if none do, the most similar word, if any. Returns no
    /// words if the text contains a comma or `!`, has fewer than three letters, or is one of the words.
    func alike(among words: [String]) -> [String] {
        let wanted = TextFolding.folded(self)
        guard count > 2, !contains(where: "!,".contains), !words.contains(wanted) else { return [] }
        let found = words.filter { TextFolding.folded($0).contains(wanted) }
        return found.isEmpty ? [nearest(among: words)].compactMap(\.self) : Array(found.prefix(3))
    }

    /// Returns the word that this text most likely means, ignoring case: the only word that begins with the text,
    /// otherwise the most similar word, with at most one letter in four wrong.
    ///
    /// Returns nil if two words are equally similar. Also returns nil if the text has fewer than four letters, because
    /// with one wrong letter, the others say too little.
    ///
    /// - Parameter mistakes: The maximum number of wrong letters.
    func nearest(among words: some Sequence<String>, mistakes: Int = .max) -> String? {
        guard (4...100).contains(count) else { return nil }
        let typed = lowercased()
        let continued = words.filter { $0.lowercased().hasPrefix(typed) }
        if continued.count == 1 { return continued[0] }
        let near = words.map { (word: $0, mistakes: typed.mistakes(comparedWith: $0.lowercased())) }
            .filter { $0.word.count > 3 && $0.mistakes <= Swift.min(mistakes, Swift.max(count, $0.word.count) / 4) }
        let least = near.map(\.mistakes).min()
        let nearest = near.filter { $0.mistakes == least }
        return nearest.count == 1 ? nearest[0].word : nil
    }

    /// Returns the edit distance to `other`: the minimum number of insertions, deletions, replacements and swaps of
    /// adjacent letters.
    private func mistakes(comparedWith other: String) -> Int {
        let own = Array(self)
        let theirs = Array(other)
        var beforeLast: [Int] = []
        var last = Array(0...theirs.count)
        for row in 0..<own.count {
            var current = [row + 1]
            for column in 0..<theirs.count {
                let replaced = last[column] + (own[row] == theirs[column] ? 0 : 1)
                var least = Swift.min(replaced, last[column + 1] + 1, current[column] + 1)
                let isSwap =
                    row > 0 && column > 0 && own[row] == theirs[column - 1] && own[row - 1] == theirs[column]
                if isSwap { least = Swift.min(least, beforeLast[column - 1] + 1) }
                current.append(least)
            }
            beforeLast = last
            last = current
        }
        return last[theirs.count]
    }
}
