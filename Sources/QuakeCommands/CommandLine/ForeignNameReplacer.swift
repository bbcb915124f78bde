import ArgumentParser

/// Replaces names that people know from other programs in a command line that cannot be parsed.
struct ForeignNameReplacer {
    private let command: String
    private let description: CommandDescription
    private var rest: ArraySlice<String>
    private var words: [String] = []
    /// The edges given as separate options such as `--minlongitude`: west, south, east and north.
    private var edges: [String?] = [nil, nil, nil, nil]
    /// The latitude and longitude given as separate options.
    private var coordinates: [String?] = [nil, nil]

    /// Returns `line` with the names in ``AlternativeSpellings`` replaced and with options before the command moved
    /// after it. Throws a usage error for an unknown option that needs an explanation.
    static func replaced(in line: [String]) throws -> [String] {
        if line.first == "help" { return ["help"] + line.dropFirst().map { AlternativeSpellings.commands[$0] ?? $0 } }
        guard let (place, name, type) = try command(in: line) else { return line }
        var words = try ForeignNameReplacer(
            command: name, description: CommandDescription(type), rest: line[..<place] + line[(place + 1)...])
        return [name] + (try words.replaced())
    }

    /// Returns the command in `line`: the first word, or the first word after options of that command.
    private static func command(
        in line: [String]
    ) throws -> (place: Int, name: String, type: any ParsableCommand.Type)? {
        for (place, word) in line.enumerated() {
            let name = word.hasPrefix("-") ? word : AlternativeSpellings.commands[word] ?? word
            if let type = QuakesCommand.named(name), try CommandDescription(type).areOptions(line[..<place]) {
                return (place, name, type)
            }
            guard line[0].hasPrefix("-") else { return nil }
        }
        return nil
    }

    private init(command: String, description: CommandDescription, rest: ArraySlice<String>) {
        self.command = command
        self.description = description
        self.rest = rest
    }

    private mutating func replaced() throws -> [String] {
        while let word = rest.popFirst() {
            if word == "--" {
                words += [word] + rest
                break
            }
            if let (option, joined) = description.find(word) {
                words.append(word)
                if joined == nil, let value = option.takeValue(from: &rest) { words.append(value) }
            } else if word.hasPrefix("-") {
                try replace(word)
            } else {
                words.append(word)
            }
        }
        return try area() + words
    }

    /// Appends the words that mean `word`, an option that the command does not have.
    private mutating func replace(_ word: String) throws {
        let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
        let name = parts[0]
        let joined = parts.dropFirst().first
        if let place = AlternativeSpellings.edges[name], mayMean("--bbox") {
            try Self.set(joined ?? rest.popFirst(), at: place, of: &edges, name)
        } else if let place = AlternativeSpellings.coordinates[name], mayMean("--near") {
            try Self.set(joined ?? rest.popFirst(), at: place, of: &coordinates, name)
        } else if let meaning = try meaning(of: name) {
            append(meaning, joined, word)
        } else if let sentence = ForeignNameAdvice.options[name[...]] {
            throw ValidationError(sentence)
        } else if AlternativeSpellings.options[name] != nil {
            throw ValidationError("`\(command)` has no option \(name). `quakes help \(command)` lists the options.")
        } else if command == "diff", name.wholeMatch(of: /-[0-9].*/) != nil {
            // In `diff`, an age such as -7d is an argument and means the same without the dash.
            words.append(String(word.dropFirst()))
        } else {
            words.append(word)
        }
    }

    /// Appends `meaning`, this program's words for the option `word`, with the option's value. `joined` is the value
    /// after an equals sign; nil if there is none.
    private mutating func append(_ meaning: [String], _ joined: String?, _ word: String) {
        guard meaning[0] != "<id>" else { return words += [joined].compactMap(\.self) }
        if meaning.count > 1 {
            words += joined == nil ? meaning : [word]
        } else if let joined {
            words.append(meaning[0] + "=" + joined)
        } else {
            words.append(meaning[0])
            if let value = description.find(meaning[0])?.option.takeValue(from: &rest) { words.append(value) }
        }
    }

    /// Returns this program's words for the spelling `name`; nil if the command has none. Throws for a start or end
    /// time in a command where it could be an origin time or a time in the history.
    private func meaning(of name: String) throws -> [String]? {
        let meanings = AlternativeSpellings.options[name] ?? []
        if ["--since", "--until"].contains(meanings.first?[0]) {
            switch command {
            case "changes", "watch", "history":
                throw ValidationError(
                    "`\(command)` has no option \(name). --since in `changes` and `history` is the time at which a "
                        + "change was recorded, not an origin time.")
            case "diff":
                throw ValidationError(
                    "`diff` has no option \(name). Its states are arguments, as in `quakes diff 24h now`; --since and "
                        + "--until limit the origin times.")
            default: break
            }
        }
        return meanings.first { mayMean($0[0]) }
    }

    /// The options of `purge` that do not select what is deleted.
    private static let optionsOfPurge = ["--format", "--dry-run", "--yes", "--tz", "--db", "--quiet", "--color"]

    /// Whether `option` may be written in another spelling: the command has it, and it does not select what `purge`
    /// deletes.
    private func mayMean(_ option: String) -> Bool {
        description.has(option)
            && (command != "purge" || Self.optionsOfPurge.contains(option))
    }

    /// Returns `--bbox` and `--near` with the values given as separate options. A missing edge of the box is the edge
    /// of the world.
    private func area() throws -> [String] {
        var area: [String] = []
        if edges.contains(where: { $0 != nil }) {
            let edges = zip(edges, ["-180", "-90", "180", "90"]).map { $0 ?? $1 }
            if let west = Double(edges[0]), let east = Double(edges[2]), west > east {
                throw ValidationError(
                    "--minlongitude \(edges[0]) is greater than --maxlongitude \(edges[2]). A box across the 180th "
                        + "meridian continues beyond 180, as in --minlongitude 165 --maxlongitude 185.")
            }
            area.append("--bbox=" + edges.joined(separator: ","))
        }
        let given = coordinates.compactMap(\.self)
        guard given.count != 1 else { throw ValidationError("A point needs both --latitude and --longitude.") }
        if given.count == 2 { area.append("--near=" + given.joined(separator: ",")) }
        let options = area.map { $0.prefix { $0 != "=" } }
        if let option = options.first(where: { option in words.contains { $0.prefix { $0 != "=" } == option } }) {
            throw ValidationError("The area is given twice, by \(option) and by options such as --minlatitude.")
        }
        return area
    }

    /// Sets one edge or coordinate. Throws if it was already given or has no value.
    private static func set(_ value: String?, at place: Int, of values: inout [String?], _ name: String) throws {
        guard values[place] == nil else { throw ValidationError("\(name) is given twice.") }
        guard let value else { throw ValidationError("\(name) needs a value.") }
        values[place] = value
    }
}

extension CommandDescription {
    /// Whether `words` are only options of the command and their values.
    fileprivate func areOptions(_ words: ArraySlice<String>) -> Bool {
        var rest = words
        while let word = rest.popFirst() {
            let name = String(word.prefix { $0 != "=" })
            let meaning = AlternativeSpellings.options[name]?.first { has($0[0]) } ?? [name]
            guard let option = (find(word) ?? find(meaning[0]))?.option else { return false }
            let takesValue = option.kind == "option" && meaning.count == 1 && !word.contains("=")
            if takesValue, option.takeValue(from: &rest) == nil { return false }
        }
        return true
    }
}
