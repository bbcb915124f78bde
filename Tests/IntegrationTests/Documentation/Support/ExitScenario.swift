import Foundation
import QuakeTestSupport

/// A command line that ends with a certain exit code.
struct ExitScenario: Sendable {
    /// The files that the command finds.
    enum Place: CaseIterable, Sendable {
        /// A cache with a purge in its history, and a consumer that has not read it.
        case cache
        /// The same cache while another process writes to it.
        case busyCache
        /// No cache, but a folder in which one could be created.
        case nothing
        /// A file that is not a cache.
        case diary
        /// A folder instead of the file.
        case folder
    }

    let code: Int32
    let place: Place
    /// The words of the command line; `@` stands for the folder with the places.
    let words: [String]

    init(_ code: Int32, _ place: Place, _ words: String...) {
        (self.code, self.place, self.words) = (code, place, words)
    }

    var command: String { words[0] }

    private static let feed = Fixture.url("feeds/all_day-1.geojson").path
    private static let unreachableService = "http://127.0.0.1:9/query"
    private static let foreign = "q1.0000000000000.1.00000000"

    /// A successful command line for every command.
    private static let plain = [
        ["list"], ["map"], ["show", "us7000zzbq"], ["changes"], ["diff", "beginning"],
        ["purge", "--all", "--dry-run"], ["undo", "--dry-run"], ["status"], ["history"], ["token"], ["consumers"],
        ["summary"],
        ["verify"], ["backup", "--force", "@/copy.db"], ["restore", "@/saved.db"],
        // The cache already holds that part, so no server is queried.
        ["backfill", "--since", "2000", "--until", "2001"], ["details", "us7000zzbq", "--dry-run"],
        // This restores what was purged.
        ["refresh", feed],
    ]

    /// Scenarios for every code of every command, except a missing helper and signals, which have separate tests.
    static let all = common + special

    private static let common: [ExitScenario] = plain.flatMap { words in
        var scenarios = [
            ExitScenario(0, .cache, words), ExitScenario(74, .folder, words), ExitScenario(78, .diary, words),
            ExitScenario(64, .cache, words + ["--nonsense"]),
        ]
        if !["refresh", "backfill", "restore"].contains(words[0]) {
            scenarios.append(ExitScenario(66, .nothing, words))
        }
        return scenarios
    }

    private static let special: [ExitScenario] = [
        ExitScenario(64, .cache, "watch", "--nonsense"), ExitScenario(74, .folder, "watch"),
        ExitScenario(78, .diary, "watch"),
        ExitScenario(1, .cache, "changes", "--exec", "false"),
        ExitScenario(1, .cache, "purge", "--history", "--all"),
        ExitScenario(1, .cache, "undo", "3"),
        ExitScenario(3, .cache, "list", "--at", foreign),
        ExitScenario(3, .cache, "summary", "--at", foreign),
        ExitScenario(3, .cache, "list", "--at", "2020-01-01"),
        ExitScenario(3, .cache, "list", "--at", "published:2020-01-01"),
        ExitScenario(3, .cache, "map", "--at", foreign),
        ExitScenario(3, .cache, "show", "us7000zzbq", "--at", foreign),
        ExitScenario(3, .cache, "status", "--at", foreign),
        ExitScenario(3, .cache, "diff", foreign),
        ExitScenario(4, .cache, "status", "--forget", "nothing"),
        ExitScenario(3, .cache, "diff", "published:2020-01-01"),
        ExitScenario(3, .cache, "changes", "--since-token", foreign, "--on-expired", "fail"),
        ExitScenario(3, .cache, "changes", "--ack", foreign),
        ExitScenario(3, .cache, "purge", "--history", "--before-token", foreign),
        ExitScenario(4, .cache, "list", "--min-mag", "9.9", "--fail-empty"),
        ExitScenario(4, .cache, "summary", "--min-mag", "9.9", "--fail-empty"),
        ExitScenario(4, .cache, "map", "--min-mag", "9.9", "--fail-empty"),
        ExitScenario(4, .cache, "map", "--select", "us7000zzbr"),
        ExitScenario(4, .cache, "show", "us1"),
        ExitScenario(4, .cache, "changes", "--min-mag", "9.9", "--fail-empty"),
        ExitScenario(4, .cache, "diff", "now", "--fail-empty"),
        ExitScenario(4, .cache, "undo", "99"),
        ExitScenario(4, .cache, "history", "99"),
        ExitScenario(4, .cache, "consumers", "--forget", "nobody"),
        ExitScenario(5, .cache, "status", "--max-age", "0s"),
        ExitScenario(64, .cache, "refresh", "all-day"),
        ExitScenario(64, .cache, "changes", "--since-token", "rubbish"),
        ExitScenario(64, .cache, "purge"), ExitScenario(64, .cache, "purge", "--all"),
        ExitScenario(64, .cache, "purge", "--older-than", "6m", "--dry-run"),
        ExitScenario(64, .cache, "list", "--sort", "distance"),
        ExitScenario(64, .cache, "list", "--at", "rubbish"),
        ExitScenario(64, .cache, "map", "--output", "map.png"),
        ExitScenario(65, .cache, "refresh", Fixture.url("malformed/truncated-mid-feature.geojson").path),
        ExitScenario(66, .nothing, "backfill", "--forget"),
        ExitScenario(69, .cache, "refresh", "http://127.0.0.1:9/all_day.geojson"),
        ExitScenario(69, .cache, "backfill", "--until", "1990", "--service-url", unreachableService),
        ExitScenario(69, .cache, "details", "us7000zzbq", "--service-url", unreachableService),
        ExitScenario(4, .cache, "details", "us7000nothing"),
        ExitScenario(74, .cache, "changes", "--token-file", "/proc/nothing/token"),
        ExitScenario(74, .cache, "map", "--output", "/proc/nothing/map.svg"),
        ExitScenario(74, .cache, "backup", "@/saved.db"),
        ExitScenario(74, .cache, "restore", "@/missing.db"),
        ExitScenario(78, .cache, "restore", "@/diary"),
        ExitScenario(75, .busyCache, "restore", "@/saved.db"),
        ExitScenario(75, .busyCache, "refresh", feed),
        ExitScenario(75, .busyCache, "backfill", "--until", "1990", "--service-url", unreachableService),
        ExitScenario(75, .busyCache, "details", "us7000zzbq", "--service-url", unreachableService),
        ExitScenario(75, .busyCache, "changes", "--since-token"),
        ExitScenario(75, .busyCache, "purge", "--all", "--yes"),
        ExitScenario(75, .busyCache, "undo"),
        ExitScenario(75, .busyCache, "consumers", "--forget", "alarm"),
    ]

    private init(_ code: Int32, _ place: Place, _ words: [String]) {
        (self.code, self.place, self.words) = (code, place, words)
    }
}
