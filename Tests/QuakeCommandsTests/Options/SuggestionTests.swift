import Foundation
import QuakeTestSupport
import Testing

@testable import QuakeCommands

/// The commands that messages suggest. New suggestions are found automatically.
@Suite("Commands that messages suggest", .scratch) struct SuggestionTests {
    /// Commands as messages name them, and with arguments so that they can run.
    private static let fillings = [
        ("show", "show us200"), ("backup", "backup COPY"), ("restore", "restore BACKUP --force"),
        (#"help\(command)"#, "help list"), (#"show \(text.shownWord)"#, "show us200"),
        (#"show \(id)"#, "show us200"), (#"details \(id)"#, "details us200 --dry-run"),
        (#"details --again \(id)"#, "details --again us200 --dry-run"),
        ("details", "details us200 --dry-run"),
        ("details --min-mag 6 --since 30d", "details --min-mag 6 --since 30d --dry-run"),
        (#"undo \(undo)"#, "undo"), (#"verify --db \(path.shellWord)"#, "verify"), ("refresh", "refresh FEED"),
        (#"refresh --db \(path.shellWord)"#, "refresh FEED"), ("refresh -", "refresh FEED"),
        ("purge", "purge --older-than 9000d"), ("backup FILE", "backup COPY"),
        ("changes --since TIME --op revised", "changes --since 1h --op revised"),
        ("diff 24h now", "diff beginning now"), ("map --output FILE.html --reload 5m", "map --output COPY.html"),
        ("map --output FILE", "map --output COPY.svg"), ("list --output", "list --output COPY.csv"),
        ("list --output FILE", "list --output COPY.csv"),
        ("map --output", "map --output COPY.svg"), ("show ID", "show us200"), ("refresh all_day", "refresh FEED"),
        (#"refresh \(feed)"#, "refresh FEED"),
        ("purge --older-than 30d", "purge --older-than 9000d"), ("purge --older-than AGE", "purge --older-than 9000d"),
        ("changes --template", "changes --template {id}"), ("diff FROM TO", "diff beginning now"),
        (#"diff \(states[0]) \(states[1])"#, "diff beginning now"),
    ]

    /// The texts of string literals in the program's sources, without comments.
    private static func sources() throws -> [String] {
        let folder = Fixture.projectDirectory.appending(path: "Sources/QuakeCommands")
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        return try files.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }.flatMap { file in
            try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
        }.filter { !$0.contains("//") }
    }

    private static func cache() throws -> MappedCache {
        let cache = try MappedCache.ofTest()
        _ = try cache.run("changes", "--since-token", "last", "--consumer", "alarm")
        return cache
    }

    private static func run(_ text: String, in cache: MappedCache) throws -> MappedCache.Outcome {
        let files = [
            "COPY": "copy-\(UUID()).db", "COPY.csv": "copy.csv", "COPY.svg": "copy.svg", "COPY.html": "copy.html",
            "BACKUP": "backup.db",
        ]
        let words = text.split(separator: " ").map { word in
            word == "FEED"
                ? Fixture.url("feeds/all_day-1.geojson").path
                : files[String(word)].map(cache.directory.path) ?? String(word)
        }
        return try cache.run(words)
    }

    @Test("Each command that a message suggests runs without an error") func quotedCommands() throws {
        let cache = try Self.cache()
        _ = try Self.run("backup BACKUP", in: cache)
        let quoted = try Self.sources().flatMap { line in
            line.matches(of: /(?:`|\| )quakes ([^`]+)`/).map { String($0.output.1) }
        }
        #expect(quoted.count > 30, "\(quoted)")
        // These end with Ctrl-C, send requests to a server, or print help.
        let others = [
            "backfill", "watch", "help", "--", #"\("#, "changes --since-token TOKEN", "changes --follow", "COMMAND",
        ]
        for text in Set(quoted) {
            let filled = Self.fillings.first { $0.0 == text }?.1 ?? text
            guard !others.contains(where: filled.hasPrefix) else { continue }
            if filled == "undo" { _ = try cache.run("purge", "--min-mag", "6") }
            let outcome = try Self.run(filled, in: cache)
            #expect(outcome.status == .success || outcome.status == .stale, "\(text): \(outcome.errors)")
        }
    }

    @Test("Each command that quakes status suggests runs without an error") func statusCommands() throws {
        let cache = try Self.cache()
        let quoted = try Self.sources().flatMap { line in
            line.matches(of: /command\.line\((.*?)\)[\]) }]*,?$/).map { String($0.output.1) }
        }
        #expect(quoted.count >= 6)
        for text in quoted.filter({ !$0.contains("?") }) + [#""status", "--forget", feed.name"#] {
            let words = text.replacing("consumer.name", with: #""alarm""#).replacing("feed.name", with: #""usgs""#)
                .matches(of: /"([^"]*)"/).map { String($0.output.1) }
            guard words[0] != "backfill", words != ["refresh"], !words.contains("usgs") else { continue }
            let outcome = try cache.run(words)
            #expect(outcome.status == .success, "\(words): \(outcome.errors)")
        }
    }

    @Test("The error for part of an event type, with an underscore for the space, names the type") func eventTypes()
        throws
    {
        let cache = try MappedCache.ofTest()
        for typed in ["quarry", "quarry_blasts"] {
            let errors = try cache.run("list", "--type", typed).errors
            #expect(errors.hasSuffix(" Did you mean quarry blast?\n"), "\(errors)")
        }
    }
}
