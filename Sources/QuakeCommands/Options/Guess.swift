import ArgumentParser
import QuakeModel
import QuakePlaces
import QuakeSystem

/// What people type because another program calls it so, and what answers it here. None is accepted: there is one way
/// to say a thing. An answer is proposed only if the whole line with it can be parsed.
struct Guess {
    /// Options, commands, or both: an option with a value, a command with an option.
    let typed: [String]
    /// What stands for them. A name in capitals is the value behind them, or what is still to be filled in.
    let answer: String

    private init(_ typed: String, _ answer: String) {
        self.init(typed.split(separator: " ").map(String.init), answer)
    }

    private init(_ typed: [String], _ answer: String) { (self.typed, self.answer) = (typed, answer) }

    static let table: [Guess] = [
        Guess("--json", "--format json"), Guess("--csv", "--format csv"), Guess("--tsv", "--format tsv"),
        Guess("--geojson", "--format geojson"), Guess("--ndjson --jsonl --json-lines", "--format ndjson"),
        Guess("--html", "--format html"), Guess("--svg", "--format svg"),
        Guess("--output-format --as", "--format VALUE"),
        Guess("--mag --magnitude --min-magnitude --minmag --minmagnitude --mag-min --above", "--min-mag VALUE"),
        Guess("--max-magnitude --maxmag --maxmagnitude --mag-max", "--max-mag VALUE"),
        Guess("--from --start --starttime --start-time --after --begin --newer-than", "--since VALUE"),
        Guess("--to --end --endtime --end-time --before", "--until VALUE"),
        Guess("--days --day", "--since VALUEd"), Guess("--hours --hour", "--since VALUEh"),
        Guess("--last --past --age", "--since VALUE"), Guess("--last --past --age", "--since 24h"),
        Guess("--updatedafter --updated-after", "--sort updated"),
        Guess(
            "--lat --lon --latitude --longitude --lng --maxradiuskm --maxradius --center",
            "--near LAT,LON --radius 100km"),
        Guess("--distance --within --range", "--radius VALUE"),
        Guess(
            "--minlatitude --maxlatitude --minlongitude --maxlongitude --min-lat --max-lat --min-lon --max-lon --box "
                + "--bounds", "--bbox W,S,E,N"),
        Guess("--mindepth", "--min-depth VALUE"), Guess("--maxdepth", "--max-depth VALUE"),
        Guess("--minfelt --felt", "--min-felt VALUE"), Guess("--minsig --sig --significance", "--min-sig VALUE"),
        Guess("--alertlevel --alert-level", "--alert VALUE"), Guess("--eventtype --event-type", "--type VALUE"),
        Guess("--reviewstatus --review-status", "--status VALUE"),
        Guess("--magnitudetype --magnitude-type --mag-type", "--magtype VALUE"),
        Guess("--catalog --contributor --network", "--net VALUE"), Guess("--eventid --event-id", "--id VALUE"),
        Guess("--url --server --endpoint", "--service-url VALUE"), Guess("--state --country", "--region VALUE"),
        Guess("--sort-by --order --orderby --order-by", "--sort VALUE"), Guess("--desc --asc", "--reverse"),
        Guess("--top -n --max --head --count-limit", "--limit VALUE"), Guess("--columns --select", "--fields VALUE"),
        Guess("--location --where --search", "--place VALUE"),
        Guess("--file --out", "--output VALUE"), Guess("-o --output --file --out", "> VALUE"),
        Guess("--database --cache", "--db VALUE"), Guess("--timezone --time-zone --zone", "--tz VALUE"),
        Guess("--silent", "--quiet"), Guess("--force --assume-yes", "--yes"), Guess("--as-of --asof", "--at VALUE"),
        Guess("--deleted", "--op delete"), Guess(["list --deleted"], "changes --since-token beginning --op delete"),
        Guess("--color --colour --no-colour", "--no-color"), Guess("--watch --tail", "--follow"),
        Guess("--since-last", "--since-token"), Guess("--reset --delete --remove", "--forget NAME"),
        Guess(["--sort magnitude"], "--sort mag"), Guess(["--sort significance"], "--sort sig"),
        Guess(["--format usgs", "-f usgs"], "--fields usgs --format csv"),

        Guess("ls quakes events", "list"), Guess("count", "list --count"),
        Guess("largest biggest strongest top", "list --sort mag --limit VALUE"),
        Guess("largest biggest strongest top", "list --sort mag --limit 10"),
        Guess("latest recent newest last", "list --limit VALUE"),
        Guess("latest recent newest last", "list --limit 10"),
        Guess("get fetch update sync pull download import load add", "refresh"),
        Guess("tail follow monitor", "watch"), Guess("log", "history"), Guess("export dump", "list --format csv"),
        Guess("search find query grep", "list --place TEXT"), Guess("info view cat open log", "show ID"),
        Guess("delete rm remove clean", "purge"), Guess("stats statistics", "summary"),
        Guess("stat health doctor", "status"), Guess("check fsck", "verify"), Guess("plot", "map"),
        Guess("subscribe", "consumers"),
    ]

    /// What is wrong in `words`, which cannot be parsed, and the line that they most likely stand for, ready to be typed;
    /// nil if nothing is likely.
    static func correction(of words: [String]) -> (wrong: String, line: String)? {
        let words = words.flatMap { word in
            word.hasPrefix("--") ? word.split(separator: "=", maxSplits: 1).map(String.init) : [word]
        }
        return answer(to: words, mistakes: 3).map { wrong, line in
            (wrong.shownWord, "quakes " + line.map { $0 == ">" ? $0 : $0.shownWord }.joined(separator: " "))
        }
    }

    /// The first mistake in `words`, and the line without it and up to `mistakes` in all.
    private static func answer(to words: [String], mistakes: Int) -> (wrong: String, line: [String])? {
        let answers = table.compactMap { $0.applied(to: words) }
        if let answer = answers.first(where: { isUnderstood($0.line) }) ?? naming(words) { return answer }
        guard mistakes > 1 else { return nil }
        return answers.lazy.compactMap { wrong, line in
            answer(to: line, mistakes: mistakes - 1).map { (wrong, $0.line) }
        }.first
    }

    /// What is typed in `words`, and these with the answer for it, without what is typed likewise elsewhere; nil if
    /// they have none of it.
    private func applied(to words: [String]) -> (wrong: String, line: [String])? {
        var (line, rest, wrong): ([String], _, String?) = ([], words[...], nil)
        while let word = rest.popFirst() {
            let pair = rest.first.map { "\(word) \($0)" }
            guard word.hasPrefix("-") || line.isEmpty,
                let found = [word, pair].compactMap(\.self).first(where: { typed.contains($0.lowercased()) })
            else {
                line.append(word)
                continue
            }
            if found == pair { rest.removeFirst() }
            let takesValue = answer.contains(where: \.isUppercase) && rest.first?.hasPrefix("--") == false
            let value = takesValue ? rest.removeFirst() : nil
            guard wrong == nil else { continue }
            wrong = found
            line += answer.split(separator: " ").map { part in
                value.map { String(part).replacing(/VALUE|TEXT|ID|NAME/, with: $0) } ?? String(part)
            }
        }
        return wrong.map { ($0, line) }
    }

    /// Whether `line` can be parsed, with a redirection of the shell and coordinates to be filled in.
    private static func isUnderstood(_ line: [String]) -> Bool {
        var words = line.map { ["LAT,LON": "35.7,139.7", "W,S,E,N": "165,-50,-175,-30"][$0] ?? $0 }
        if let sign = words.firstIndex(of: ">") { words.removeSubrange(sign..<min(sign + 2, words.count)) }
        return words.first.flatMap(QuakesCommand.named) != nil
            && (try? QuakesCommand.command(for: words)) is any EnvironmentCommand
    }

    /// A word too many in `words`, and the line that says what it is: a region, a city or the id of a quake.
    private static func naming(_ words: [String]) -> (wrong: String, line: [String])? {
        words.indices.dropFirst().lazy.filter { !words[$0].hasPrefix("-") }.compactMap { index in
            let word = words[index]
            let filter =
                PlaceArgument.isRegion(word)
                ? ["--region", Region.whole(ofQuery: word) ?? word]
                : (try? City.known(word)) != nil ? ["--near", word] : nil
            if let filter { return (word, words[..<index] + filter + words[(index + 1)...]) }
            return word.wholeMatch(of: /[a-z]{2,}[0-9][a-z0-9]{3,}/) != nil ? (word, ["show", word]) : nil
        }.first { isUnderstood($0.line) }
    }
}

extension String {
    /// A word of a command line as a message repeats it: quoted for a shell, a URL without what gives access.
    var shownWord: String {
        TerminalText.sanitized(WebAddress.mayHoldSecret(self) ? WebAddress.shortened(self) : shellWord)
    }
}
