import QuakeModel
import QuakePlaces
import QuakeSystem

/// The most likely meaning of a command line that cannot be parsed.
struct Correction {
    /// The first word that is wrong.
    let wrong: String
    /// The words of the corrected line; nil if there is only a remark.
    let line: [String]?
    /// A sentence about the correction, if any.
    let remark: String?

    /// Finds the correction of `words`; nil if none is likely.
    static func of(_ words: [String]) -> Correction? {
        var words = words.flatMap { word in
            word.hasPrefix("--") ? word.split(separator: "=", maxSplits: 1).map(String.init) : [word]
        }
        for place in words.indices.dropFirst() where words[place - 1] == "--type" {
            words[place] = words[place].alike(among: FilterVocabulary.types).first ?? words[place]
        }
        return correction(of: words, mistakes: 3)
    }

    /// The corrected line, ready to be typed.
    var shownLine: String? { line.map { "quakes " + $0.map(\.shownWord).joined(separator: " ") } }

    /// A question that suggests the line, followed by the remark.
    var text: String { [shownLine.map { "Did you mean `\($0)`?" }, remark].compactMap(\.self).joined(separator: " ") }

    /// Returns a correction that names the first mistake in `words` and corrects up to `mistakes` of them.
    private static func correction(of words: [String], mistakes: Int) -> Correction? {
        // Looking up a city is slow, so the rows that need it come last.
        let found = Guess.table.lazy.flatMap { $0.corrections(of: words) }
        if let answer = found.first(where: \.isUnderstood) { return answer }
        guard mistakes > 1 else { return nil }
        return Guess.table.dropLast(2).lazy.flatMap { $0.corrections(of: words) }.compactMap { first in
            correction(of: first.line ?? [], mistakes: mistakes - 1).map { rest in
                Correction(wrong: first.wrong, line: rest.line, remark: rest.remark ?? first.remark)
            }
        }.first
    }

    /// Whether the line can be parsed. A line with `>` is never suggested, because a shell might overwrite a file.
    var isUnderstood: Bool {
        guard let words = line, words != ["--version"] else { return true }
        return !words.contains { $0.contains(">") } && words.first.flatMap(QuakesCommand.named) != nil
            && (try? QuakesCommand.command(for: words)) is any EnvironmentCommand
    }
}

extension Guess {
    /// Returns a correction of `words` for each position at which they match ``typed``.
    func corrections(of words: [String]) -> [Correction] {
        let places = typed[0].isName ? Array(words.indices) : [0]
        return places.compactMap { place in
            guard let (taken, values) = match(words, from: place), let first = taken.min() else { return nil }
            let wrong = taken.first { words[$0].hasPrefix("-") } ?? taken.first { $0 > 0 } ?? first
            if answer.contains("`") { return Correction(wrong: words[wrong], line: nil, remark: String(answer)) }
            var line = words.indices.filter { !taken.contains($0) || $0 == first }.map { words[$0] }
            line.replaceSubrange(
                first...first, with: answer == "NOTHING" ? [] : answer.split(separator: " ").map { $0.filled(values) })
            if line.first?.hasPrefix("-") == true, line != ["--version"] { line.insert("list", at: 0) }
            return Correction(wrong: words[wrong], line: line, remark: remark.map(String.init))
        }
    }

    /// Returns the positions and values of the words that match ``typed``; nil if any word does not match.
    private func match(_ words: [String], from place: Int) -> (taken: [Int], values: [String: String])? {
        var taken: [Int] = []
        var values: [String: String] = [:]
        var next = place
        for part in typed {
            if part.isOption {
                guard let place = words.indices.first(where: { !taken.contains($0) && part.allows(words[$0]) })
                else { return nil }
                next = place
            } else if part.isName {
                guard next < words.count, !taken.contains(next), let found = Guess.values(of: words[next], as: part)
                else { return nil }
                values.merge(found) { $1 }
            } else {
                guard next < words.count, !taken.contains(next), part.allows(words[next]) else { return nil }
            }
            taken.append(next)
            next += 1
        }
        return (taken, values)
    }

    /// Returns the values in `word` for the placeholder `name` of the table; nil if `word` does not match it.
    private static func values(of word: String, as name: Substring) -> [String: String]? {
        func known(_ isKnown: Bool) -> [String: String]? { isKnown ? [String(name): word] : nil }
        func has(_ pattern: Regex<Substring>) -> [String: String]? { known(word.wholeMatch(of: pattern) != nil) }
        func parts(_ match: Regex<(Substring, Substring, Substring)>.Match?) -> [String: String]? {
            let names = name.split { $0 == "-" || $0 == "," }.map(String.init)
            return match.map { [names[0]: String($0.output.1), names[1]: String($0.output.2)] }
        }
        func part(_ match: Regex<(Substring, Substring)>.Match?) -> [String: String]? {
            match.map { [name.filter(\.isLetter): String($0.output.1)] }
        }
        switch name {
        case "ID": return has(/[a-z]{2,}[0-9][a-z0-9]{2,}/)
        case "V": return has(/[^-].*|-[0-9.].*/)
        case "TIME": return has(/[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?/)
        case "FORMAT": return has(/csv|json|ndjson|tsv|geojson|quakeml/)
        case "--FORMAT": return part(word.wholeMatch(of: /--(csv|json|ndjson|tsv|geojson|quakeml|html|svg)/))
        case "COMMAND": return known(QuakesCommand.named(word) != nil)
        case "REGION":
            return PlaceArgument.isRegion(word) ? [String(name): Region.whole(ofQuery: word) ?? word] : nil
        case "CITY": return known((try? City.known(word)) != nil)
        case "A-B": return parts(word.wholeMatch(of: /([0-9.]+)(?:-|\.\.|,|:)([0-9.]+)/))
        case "POINT,LENGTH":
            return parts(word.wholeMatch(of: /(.+?)[, ] ?([0-9.]+ ?(?:km|mi))/))
        case "-INT": return part(word.wholeMatch(of: /-([0-9]+)/))
        case "PNG": return part(word.wholeMatch(of: /(.+)\.(?i:png)/))
        case "MAG": return part(word.wholeMatch(of: /mag(?:nitude)?[>=]{1,2}([0-9.]+)/))
        case "AGO": return part(word.wholeMatch(of: /([0-9]+ ?[a-z]+) ago/))
        case "D":
            return Timestamp(iso8601: word + "T00:00Z").map { ["D": word, "NEXT": ($0 + .seconds(86_400)).dayWords] }
        default: return has(/-?[0-9]+(?:\.[0-9]+)?/)
        }
    }
}

extension Substring {
    /// Whether this is a placeholder such as `N` or `--FORMAT`. Real options with capitals always have alternatives.
    fileprivate var isName: Bool { contains(where: \.isUppercase) && !contains("|") }
    fileprivate var isOption: Bool { first == "-" && !isName }

    /// Whether `word` is an alternative in this pattern (`a|b`). The case of a letter after a single dash matters.
    fileprivate func allows(_ word: String) -> Bool {
        split(separator: "|").contains { $0 == word || word.count > 2 && $0 == word.lowercased() }
    }

    /// Returns this word of a suggested line, with placeholders replaced by `values`.
    fileprivate func filled(_ values: [String: String]) -> String {
        String(replacing("_", with: " ").replacing(/[A-Z]+/) { values[String($0.output)] ?? String($0.output) })
    }
}

extension String {
    /// This word of a command line, as repeated in a message: quoted for a shell, with any secrets in a URL removed.
    var shownWord: String {
        TerminalText.sanitized(WebAddress.mayHoldSecret(self) ? WebAddress.shortened(self) : shellWord)
    }
}
