import ArgumentParser

/// What people type because another program calls it so, and what it is called here. None is accepted: there is one way
/// to say a thing.
enum FamiliarName {
    /// What stands for an option that does not exist: an option of ours and, where that helps, a value.
    private static let options: [(names: [String], ours: String)] = [
        (["--json"], "--format json"), (["--csv"], "--format csv"), (["--tsv"], "--format tsv"),
        (["--geojson"], "--format geojson"), (["--ndjson", "--jsonl", "--json-lines"], "--format ndjson"),
        (["--html"], "--format html"), (["--svg"], "--format svg"), (["--output-format", "--as"], "--format"),
        (
            ["--mag", "--magnitude", "--min-magnitude", "--minmag", "--minmagnitude", "--mag-min", "--above"],
            "--min-mag"
        ),
        (["--max-magnitude", "--maxmag", "--maxmagnitude", "--mag-max"], "--max-mag"),
        (["--from", "--start", "--starttime", "--start-time", "--after", "--begin", "--newer-than"], "--since"),
        (["--to", "--end", "--endtime", "--end-time", "--before"], "--until"),
        (["--days", "--day"], "--since 7d"), (["--hours", "--hour", "--last", "--past", "--age"], "--since 24h"),
        (["--updatedafter", "--updated-after"], "--sort updated"),
        (
            ["--lat", "--lon", "--latitude", "--longitude", "--lng", "--maxradiuskm", "--maxradius", "--center"],
            "--near LAT,LON --radius 100km"
        ),
        (["--distance", "--within", "--range"], "--radius"),
        (
            [
                "--minlatitude", "--maxlatitude", "--minlongitude", "--maxlongitude", "--min-lat", "--max-lat",
                "--min-lon", "--max-lon", "--box", "--bounds",
            ], "--bbox W,S,E,N"
        ),
        (["--mindepth"], "--min-depth"), (["--maxdepth"], "--max-depth"), (["--minfelt", "--felt"], "--min-felt"),
        (["--minsig", "--sig", "--significance"], "--min-sig"), (["--alertlevel", "--alert-level"], "--alert"),
        (["--eventtype", "--event-type"], "--type"), (["--reviewstatus", "--review-status"], "--status"),
        (["--magnitudetype", "--magnitude-type", "--mag-type"], "--magtype"),
        (["--catalog", "--contributor", "--network"], "--net"), (["--eventid", "--event-id"], "--id"),
        (["--url", "--server", "--endpoint"], "--service-url"), (["--state"], "--region"),
        (["--sort-by", "--order", "--orderby", "--order-by"], "--sort"), (["--desc", "--asc"], "--reverse"),
        (["--top", "-n", "--max", "--head", "--count-limit"], "--limit"),
        (["--columns", "--select"], "--fields"), (["--location", "--where", "--search"], "--place"),
        (["--country"], "--region"),
        (["--file", "--out"], "--output"), (["--database", "--cache"], "--db"),
        (["--timezone", "--time-zone", "--zone"], "--tz"), (["--silent"], "--quiet"),
        (["--force", "--assume-yes"], "--yes"),
        (["--as-of", "--asof"], "--at"), (["--deleted"], "--op delete"),
        (["--deleted"], "quakes changes --since-token beginning --op delete"),
        (["--color", "--colour", "--no-colour"], "--no-color"), (["--watch", "--tail"], "--follow"),
        (["--since-last"], "--since-token"), (["--reset", "--delete", "--remove"], "--forget NAME"),
    ]

    /// What stands for a command that does not exist.
    private static let commands: [(names: [String], ours: String)] = [
        (["ls", "quakes", "events"], "quakes list"), (["count"], "quakes list --count"),
        (["largest", "biggest", "strongest", "top"], "quakes list --sort mag --limit 10"),
        (["latest", "recent", "newest", "last"], "quakes list --limit 10"),
        (["get", "fetch", "update", "sync", "pull", "download", "import", "load", "add"], "quakes refresh"),
        (["tail", "follow", "monitor"], "quakes watch"),
        (["log"], "quakes history"), (["export", "dump"], "quakes list --format csv"),
        (["search", "find", "query", "grep"], "quakes list --place TEXT"),
        (["info", "view", "cat", "open"], "quakes show ID"), (["delete", "rm", "remove", "clean"], "quakes purge"),
        (["stats", "statistics"], "quakes summary"), (["stat", "health", "doctor"], "quakes status"),
        (["check", "fsck"], "quakes verify"),
        (["plot"], "quakes map"), (["subscribe"], "quakes consumers"),
    ]

    /// A familiar name for `name`, which is no option of `command`, otherwise the nearest option, if any.
    static func option(for name: String, of command: any ParsableCommand.Type) -> String? {
        let known = optionNames(of: command)
        let written = name.lowercased()
        // What begins with `quakes` is another command.
        let familiar = options.first { names, ours in
            names.contains(written) && (ours.hasPrefix("quakes ") || known.contains(String(ours.prefix { $0 != " " })))
        }?.ours
        if name == "-o", known.contains("--fields"), !known.contains("--output") { return "> FILE" }
        if let familiar { return familiar }
        guard written.hasPrefix("--") else { return nil }
        return String(written.dropFirst(2)).nearest(among: known.map { String($0.dropFirst(2)) }).map { "--" + $0 }
    }

    /// What stands for a value that an option does not know.
    static func value(_ value: some StringProtocol, of option: some StringProtocol) -> String? {
        switch (option, value.lowercased()) {
        case ("--sort", "magnitude"): "mag"
        case ("--sort", "significance"): "sig"
        case ("--format", "usgs"), ("-f", "usgs"): "--fields usgs --format csv"
        default: nil
        }
    }

    /// The command line that `word`, which is no command, most likely stands for.
    static func command(for word: String) -> String? {
        commands.first { $0.names.contains(word.lowercased()) }?.ours
    }

    /// `ours`, a command line that may end with a word in capitals for what is still to be said, with `words`.
    static func line(_ ours: String, with words: [String]) -> String {
        guard !words.isEmpty else { return ours }
        let parts = ours.split(separator: " ").map(String.init)
        let isOpen = parts.last.map { $0 == $0.uppercased() } ?? false
        return ((isOpen ? parts.dropLast() : parts) + words).joined(separator: " ")
    }

    /// The long names of the options of a command or a group.
    static func optionNames(of options: any ParsableArguments.Type) -> [String] {
        let lines = options.helpMessage().split(separator: "\n").filter { $0.hasPrefix("  -") }
        return lines.flatMap {
            $0.split { " ,/".contains($0) }.filter { $0.hasPrefix("--") }.prefix(1).map(String.init)
        }
    }
}

extension String {
    /// The nearest of `words` in any case: the fewest letters to insert and delete, at most four; nil if none is near.
    func nearest(among words: some Sequence<String>) -> String? {
        let wanted = Array(lowercased())
        var best: (word: String, difference: Int)?
        let limit = max(3, min(5, wanted.count / 2 + 1))
        let letters = String(wanted).letterCounts
        // Counting letters is much faster than comparing their order, which few words of a cache need.
        for word in words where word.letterCounts.difference(from: letters) < best?.difference ?? limit {
            let difference = Array(word.lowercased()).difference(from: wanted).count
            if difference < best?.difference ?? limit { best = (word, difference) }
        }
        return best?.word
    }

    /// How often each ASCII character occurs, in any case.
    fileprivate var letterCounts: LetterCounts {
        var counts = LetterCounts()
        for byte in utf8 where byte < 128 { counts.add(65...90 ~= byte ? byte + 32 : byte) }
        return counts
    }
}

/// How often each ASCII character occurs in a text.
private struct LetterCounts {
    private var counts = InlineArray<128, Int>(repeating: 0)

    mutating func add(_ byte: UInt8) { counts[Int(byte)] += 1 }

    /// How many characters must at least be inserted or deleted to get from one text to the other.
    func difference(from other: LetterCounts) -> Int {
        var sum = 0
        for index in counts.indices { sum += abs(counts[index] - other.counts[index]) }
        return sum
    }
}
