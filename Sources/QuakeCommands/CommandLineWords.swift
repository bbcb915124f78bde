import ArgumentParser

/// The words of a command line in the order that ArgumentParser expects.
enum CommandLineWords {
    /// The global options without a value, and the one with a value.
    private static let flags: Set<String> = ["-q", "--quiet", "-v", "--verbose", "--no-color", "--no-pager"]
    private static let database = "--db"

    /// `words` with the global options that stand before the command behind it, as in `quakes --db x list`.
    static func movingGlobalOptions(_ words: [String]) -> [String] {
        var index = 0
        while index < words.count {
            if flags.contains(words[index]) || words[index].hasPrefix(database + "=") {
                index += 1
            } else if words[index] == database {
                index += 2
            } else {
                break
            }
        }
        guard index > 0, index < words.count, !words[index].hasPrefix("-") else { return words }
        return [words[index]] + words[..<index] + words[(index + 1)...]
    }

    /// Splits `--since-token=TOKEN` into two arguments, and gives `--since-token` without a value its meaning.
    /// ArgumentParser knows no options whose value may be missing, apart from some whose help reads badly.
    static func separatingOptionalValues(_ arguments: some Sequence<String>) -> [String] {
        let option = "--since-token"
        var words: [String] = []
        for argument in arguments {
            if words.last == option, argument.hasPrefix("-") { words.append(StartOptions.lastToken) }
            if argument.hasPrefix(option + "=") {
                words += [option, String(argument.dropFirst(option.count + 1))]
            } else {
                words.append(argument)
            }
        }
        return words.last == option ? words + [StartOptions.lastToken] : words
    }

    /// Short options with a value, which may be attached to them: `-m5`.
    private static let shortWithValue: Set<Character> = ["m", "s", "l", "f", "o"]

    /// `words` with `-m5` as `-m 5`, where `command` has the option and the word is not the value of another.
    static func detachingValues(_ words: [String], of command: any ParsableCommand.Type) -> [String] {
        let isCandidate = { (word: String) in
            word.count > 2 && word.first == "-" && word.dropFirst().first.map(shortWithValue.contains) == true
        }
        // The help is long to write, and few command lines need it.
        guard words.contains(where: isCandidate) else { return words }
        let takesValue = namesWithValue(of: command)
        return words.enumerated().flatMap { index, word -> [String] in
            guard isCandidate(word), takesValue.contains(String(word.prefix(2))),
                index == 0 || !takesValue.contains(words[index - 1])
            else { return [word] }
            let value = word.dropFirst(2)
            return [String(word.prefix(2)), String(value.first == "=" ? value.dropFirst() : value)]
        }
    }

    /// The option of `command` among `words` whose value is empty. ArgumentParser takes the word behind `--db=` for it.
    static func optionWithEmptyValue(in words: [String], of command: any ParsableCommand.Type) -> String? {
        let words = words.prefix { $0 != "--" }
        let candidates = zip(words, words.dropFirst() + ["--"]).compactMap { word, next in
            next.isEmpty ? word : word.hasPrefix("-") && word.hasSuffix("=") ? String(word.dropLast()) : nil
        }
        return candidates.isEmpty ? nil : candidates.first(where: namesWithValue(of: command).contains)
    }

    /// The long and short names of the options of `command` that take a value.
    private static func namesWithValue(of command: any ParsableCommand.Type) -> Set<String> {
        let names = command.helpMessage().matches(of: /(?m)^ +(?:(-[a-z]), )?(--[a-z-]+) </)
        return Set(names.flatMap { [$0.output.1, $0.output.2] }.compactMap { $0.map(String.init) })
    }
}

extension String {
    /// The id of a quake on the command line, which may also be the URL of its event page or detail feed.
    var quakeIDArgument: String {
        guard contains("/") else { return self }
        if let query = firstMatch(of: /[?&]eventid=([A-Za-z0-9]+)/) { return String(query.output.1) }
        let match = firstMatch(of: /\/(?:eventpage|detail)\/([A-Za-z0-9_]+)/)
        return match.map { String($0.output.1) } ?? self
    }
}
