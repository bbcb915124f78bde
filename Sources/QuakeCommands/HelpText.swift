import ArgumentParser
import FoundationEssentials

/// What `quakes help` prints. The help of a command shows what most people use; `--help-hidden`, the man page and
/// options.md have all options.
enum HelpText {
    /// The page for `quakes` alone: what it is, how to start, and every command in a line.
    static let overview = """
        quakes mirrors the USGS earthquake feeds into a local cache that keeps every revision.

          quakes refresh                 update the cache; run it often, best from cron
          quakes list --min-mag 4.5      list the larger quakes, newest first
          quakes map --since 7d          map the last seven days
          quakes changes --since-token   show what changed since last time
          quakes watch                   keep up with the feeds and print what changes

        Read      list show map summary changes diff
        Update    refresh watch backfill details
        History   history token consumers undo
        Maintain  status verify backup restore purge

        quakes help COMMAND       the options of a command, with examples
        quakes help filters       the filters that most commands share
        quakes help environment   the environment variables
        man quakes                everything; --version shows the version
        """

    /// The page that `arguments` ask for, other than the help of a command; nil if they ask for none.
    static func page(for arguments: [String]) -> String? {
        switch arguments {
        case [], ["help"], ["--help"], ["-h"]: overview
        case ["help", "filters"]: filters
        case ["help", "environment"]: environment
        default: nil
        }
    }

    /// The filters that the help of a command shows; the others are in `quakes help filters`.
    private static let commonFilters: Set<String> = [
        "--min-mag", "--near", "--radius", "--region", "--since", "--until",
    ]
    /// The options that only the full help of a command shows.
    private static let advanced: Set<String> = [
        "--since-transaction", "--ack", "--no-ack", "--on-expired", "--token-file", "--strict", "--confirm-snapshots",
        "--confirm-after", "--confirm-with-service", "--epoch", "--author", "--exclude-author", "--heartbeat",
        "--timeout", "--coalesce", "--fail-empty", "--reload", "--base-url", "--service-url", "--id", "--reason",
        "--reverse", "--version", "--units", "--tz", "--mark-read",
    ]

    /// `text`, the full help of a command, with what most people use.
    static func common(_ text: String) -> String {
        var lines: [String] = []
        var section = ""
        var isShown = true
        let filters = FamiliarName.optionNames(of: FilterOptions.self)
        // Of changes only csv and tsv have fields.
        let hidden = text.contains("--changed <") ? advanced.union(["--fields"]) : advanced
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if line.hasSuffix(":"), !line.hasPrefix(" "), line == line.uppercased() {
                section = line
                isShown = true
            } else if line.hasPrefix("  -"), let name = line.firstMatch(of: /--[a-z-]+/).map({ String($0.output) }) {
                let isFilter = filters.contains(name) && !commonFilters.contains(name)
                isShown = section != "GLOBAL OPTIONS:" && !isFilter && !hidden.contains(name)
            } else if line.isEmpty {
                isShown = true
            }
            if isShown { lines.append(line) }
        }
        let kept = withoutEmptySections(lines)
        let more = text.contains("--min-felt") ? "More filters: `quakes help filters`. " : ""
        return "\(kept)\n\n\(more)All options: --help-hidden. Global options: `man quakes`."
    }

    /// `lines` without headings that nothing follows, and without blank lines in a row.
    private static func withoutEmptySections(_ lines: [String]) -> String {
        var kept: [String] = []
        for (index, line) in lines.enumerated() {
            let isHeading = line.hasSuffix(":") && line == line.uppercased() && !line.hasPrefix(" ")
            if isHeading, index + 1 == lines.count || lines[index + 1].isEmpty { continue }
            if line.isEmpty, kept.last?.isEmpty ?? true { continue }
            kept.append(line)
        }
        while kept.last?.isEmpty == true { kept.removeLast() }
        return kept.joined(separator: "\n")
    }

    /// What `quakes help filters` prints: the filters of `list`, which all commands with filters share.
    static var filters: String {
        let help = ListCommand.helpMessage(columns: 80)
        let sections = help.components(separatedBy: "\n\n").filter {
            $0.hasPrefix("WHICH QUAKES:") || $0.hasPrefix("ORIGIN TIME:")
        }
        return """
            list, map, summary, changes, diff, purge and details share these filters. In changes, --since is the time \
            of the change. A filter with several values takes them separated by commas, or may be repeated.


            """ + sections.joined(separator: "\n\n")
    }

    static var environment: String {
        let width = variables.map(\.name.count).max() ?? 0
        return variables.map { "\($0.name.padding(to: width + 2))\($0.text)" }.joined(separator: "\n")
    }

    static let variables: [(name: String, text: String)] = [
        ("QUAKES_DB", "the cache file, as --db"),
        ("QUAKES_SYSTEM_DB", "the system cache; empty for none"),
        ("QUAKES_HOME", "the reference point for distances, as --home"),
        ("QUAKES_UNITS", "km or mi, as --units"),
        ("QUAKES_TZ", "the time zone of displayed times"),
        ("QUAKES_AUTHOR", "the author of changes, as --author"),
        ("QUAKES_BASE_URL", "where the summary feeds are, as --base-url"),
        ("QUAKES_SERVICE_URL", "where the event service is, as --service-url"),
        ("QUAKES_CONFIRM_SNAPSHOTS", "as --confirm-snapshots of refresh"),
        ("QUAKES_CONFIRM_AFTER", "as --confirm-after of refresh"),
        ("QUAKES_CONFIRM_WITH_SERVICE", "1 or 0, as --[no-]confirm-with-service of refresh"),
        ("QUAKES_PAGER", "the pager, instead of $PAGER; empty for none"),
        ("XDG_DATA_HOME", "the folder of your own cache (~/.local/share)"),
        ("https_proxy, no_proxy", "the proxy for downloads, and hosts without one"),
        ("CURL_CA_BUNDLE, SSL_CERT_FILE", "a file with the certificates to trust"),
        ("TMPDIR", "the folder of temporary files"),
        ("NO_COLOR", "no color, if it is not empty"),
        ("TZ, TZDIR", "the zone `local`, and the time zone database"),
    ]
}
