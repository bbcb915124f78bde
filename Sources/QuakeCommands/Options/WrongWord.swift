import ArgumentParser
import QuakeModel
import QuakePlaces
import QuakeSystem

/// Messages about words of a command line that ArgumentParser blames on something else, or knows nothing about.
enum WrongWord {
    /// A better sentence than `text`, a message about the command line of `command`; nil if there is none.
    static func sentence(in text: String, for command: any ParsableCommand.Type) -> String? {
        let isUnexpected = text.hasPrefix("quakes: Unexpected argument '")
        guard
            isUnexpected || text.contains(" unexpected arguments: ") || text.hasPrefix("quakes: <")
                || text.hasPrefix("quakes: Missing expected argument")
        else { return nil }
        // A value after an option that does not exist looks like an argument.
        let known = FamiliarName.optionNames(of: command)
        let words = ProgramArguments.words.dropFirst()
        guard words.first == command.configuration.commandName || isUnexpected else { return nil }
        let options = words.dropFirst().prefix { $0 != "--" && words.first == command.configuration.commandName }
            .filter { $0.hasPrefix("--") }.map { String($0.prefix { $0 != "=" }) }
        if let option = options.first(where: { !known.contains($0) && !$0.hasPrefix("--help") }) {
            let suggestion = FamiliarName.option(for: option, of: command).map { " Did you mean '\($0)'?" } ?? ""
            return FilterRefusal.sentence(about: option, for: command)
                ?? "Unknown option '\(option.shownWord)'.\(suggestion)"
        }
        guard isUnexpected,
            let word = text.firstMatch(of: /Unexpected argument '([^']*)'/).map({ String($0.output.1) })
        else { return nil }
        let line = words.joined(separator: " ") + " "
        if let length = line.firstMatch(of: #/--radius[ =]([0-9.]+ (?i:km|mi)) /#), length.output.1.hasSuffix(word) {
            return "Write the radius as one word: --radius \(length.output.1.replacing(" ", with: ""))."
        }
        guard known.contains("--region") else { return nil }
        return filter(for: word).map { "Unexpected argument '\(word)'. Did you mean `\($0)`?" }
    }

    /// The option for `word`, if it is a region, a city or the id of a quake.
    private static func filter(for word: String) -> String? {
        if isRegion(word) { return "--region \((Region.whole(ofQuery: word) ?? word).shellWord)" }
        if (try? City.named(word)) != nil { return "--near \(word.shellWord)" }
        return word.wholeMatch(of: /[a-z]{2,}[0-9][a-z0-9]{3,}/) != nil ? "quakes show \(word)" : nil
    }

    /// Whether `name` is a country or state, or a part of one. `Petrolia, CA` is none.
    static func isRegion(_ name: String) -> Bool {
        !name.contains(",") && FilterVocabulary.region(among: Region.names(ofQuery: name)) != nil
    }
}

extension String {
    /// A word of a command line as a message repeats it: quoted for a shell, a URL without what gives access.
    var shownWord: String {
        TerminalText.sanitized(WebAddress.mayHoldSecret(self) ? WebAddress.shortened(self) : shellWord)
    }
}

/// Why a command cannot take a filter that `list` has.
enum FilterRefusal {
    /// The sentence about the filter `name`, which `command` does not have; nil if it is none, or has no reason.
    static func sentence(about name: String, for command: any ParsableCommand.Type) -> String? {
        let groups: [any ParsableArguments.Type] = [FilterOptions.self, OriginTimeOptions.self]
        guard groups.contains(where: { FamiliarName.optionNames(of: $0).contains(name) }) else { return nil }
        if command == BackfillCommand.self {
            return
                "The event service cannot filter by '\(name)'; apply it with `quakes list \(name)` after the backfill."
        }
        if command == ChangesCommand.self {
            return "`quakes changes` has no '\(name)': its --since means the time of the change, not of the quake. "
                + "`quakes diff` filters by origin time."
        }
        return nil
    }
}
