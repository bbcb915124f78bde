import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

/// A command that writes, and its prerequisites.
struct Writer: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// Prepares the folder in which the command runs.
    var prepare: @Sendable (Cache, ScratchDirectory) async throws -> Void
    /// The command. FOLDER stands for its folder, SERVICE for the event service.
    var words: [String]
    /// The event service, once prepared.
    private var service: EventServiceServer?
    /// The files that it may leave when it ends normally, besides the cache.
    var results: Set<String>
    /// The locks that it may leave, too, when it is killed.
    var locks: Set<String>
    /// Its exit status if there is nothing left to do.
    var repeated: Int32
    /// Whether it creates the cache in a separate transaction before it writes the first quake.
    var creates: Bool
    /// The tables that it writes in separate transactions.
    var asides: Set<String>
    /// The requested origin times, which it records in a separate transaction before it begins.
    var asked: Range<Timestamp>?

    private init(
        _ name: String, _ words: [String], results: Set<String> = [], locks: Set<String> = [], repeated: Int32 = 0,
        creates: Bool = false, asides: Set<String> = [], asked: Range<Timestamp>? = nil,
        after prepare: @escaping @Sendable (Cache, ScratchDirectory) async throws -> Void = twoDays
    ) {
        (testDescription, self.words, self.prepare) = (name, words, prepare)
        (self.results, self.locks, self.repeated, self.creates) = (results, locks, repeated, creates)
        (self.asides, self.asked) = (asides, asked)
    }

    /// Prepares a folder of the test. Returns the writer with an event service, and the folder.
    func prepared() async throws -> (writer: Writer, template: ScratchDirectory) {
        var catalog = EventCatalog()
        catalog.insertInvented(20, in: Timestamp.sample - .seconds(86_400)...Timestamp.sample)
        catalog.insert(Quake(sample: "us7000zzay"))
        var writer = self
        writer.service = try EventServiceServer.ofTest(catalog)
        let (cache, template) = try Cache.andFolderOfTest()
        try FileManager.default.createDirectory(atPath: template.path("temporary"), withIntermediateDirectories: true)
        try await prepare(cache, template)
        return (writer, template)
    }

    func arguments(in scratch: ScratchDirectory) -> [String] {
        words.map { $0.replacing("FOLDER", with: scratch.url.path).replacing("SERVICE", with: service?.queryURL ?? "") }
    }

    /// Returns the comparable contents of the cache at `path`.
    func contents(of path: String) throws -> CacheContents {
        try CacheContents(ofCacheAt: path, comparable: true, without: asides)
    }

    private static func feed(_ name: String) -> String { Fixture.url("feeds/\(name).geojson").path }

    @Sendable private static func twoDays(_ cache: Cache, _ scratch: ScratchDirectory) async throws {
        try await cache.refresh("all_day-1")
        try await cache.refresh("all_day-2")
        try await cache.output("changes", "--since-token", "--consumer", "alarm", "-q", "--limit", "1")
    }

    /// Every command that writes.
    static let all: [Writer] = [
        Writer("first refresh", ["refresh", feed("all_day-1")], creates: true) { _, _ in },
        Writer("refresh", ["refresh", feed("all_day-2")]) { cache, _ in try await cache.refresh("all_day-1") },
        Writer("purge", ["purge", "--max-mag", "1.5"]),
        Writer("purge --compact", ["purge", "--compact", "--max-mag", "1.5"]),
        Writer("purge --history", ["purge", "--history", "--all", "--force"]),
        Writer("undo", ["undo"], repeated: 4) { cache, scratch in
            try await twoDays(cache, scratch)
            try await cache.output("purge", "--max-mag", "1.5")
        },
        // The name of the lock has the hash of "alarm".
        Writer(
            "changes --since-token", ["changes", "--since-token", "--consumer", "alarm"],
            locks: ["quakes.db.reader-lock-087fdebb3c0a9fba"]),
        Writer(
            "consumers --forget", ["consumers", "--forget", "alarm"],
            locks: ["quakes.db.reader-lock-087fdebb3c0a9fba"], repeated: 4),
        Writer(
            "changes --token-file", ["changes", "--token-file", "FOLDER/token"], results: ["token"],
            locks: ["token.reader-lock"]),
        Writer("status --forget", ["status", "--forget", "all_day"], repeated: 4),
        Writer(
            "backfill", ["backfill", "--since", "2026-03-01", "--until", "2026-03-14", "--service-url", "SERVICE"],
            locks: backfillLock, asides: ["feeds", "ids_in_question"], asked: days),
        Writer(
            "details", ["details", "us7000zzay", "--service-url", "SERVICE"], locks: backfillLock,
            asides: ["feeds"]),
        Writer("backfill --forget", ["backfill", "--forget"], locks: backfillLock) { cache, scratch in
            try await cache.refresh("all_day-1")
            let year = Timestamp(milliseconds: 946_684_800_000)..<Timestamp(milliseconds: 978_307_200_000)
            try QuakeContext(QuakeCache(path: cache.path)).write { writer in
                try writer.add(CoveredRange(originTimes: year, asOf: year.upperBound))
            }
        },
        Writer("map --output", ["map", "--output", "FOLDER/map.html"], results: ["map.html"]),
        Writer("list --output", ["list", "--output", "FOLDER/list.csv"], results: ["list.csv"]),
        Writer("backup", ["backup", "FOLDER/copy.db"], results: ["copy.db"], repeated: 74),
        Writer("backup --force", ["backup", "--force", "FOLDER/copy.db"], results: ["copy.db"]),
        Writer("restore", ["restore", "FOLDER/copy.db"], results: kept, locks: backfillLock) { cache, scratch in
            try await cache.refresh("all_day-1")
            try await cache.output("backup", scratch.path("copy.db"))
            try await cache.refresh("all_day-2")
        },
        Writer("restore to nothing", ["restore", "FOLDER/copy.db"], results: kept, locks: backfillLock, creates: true) {
            cache, scratch in
            try await twoDays(cache, scratch)
            try await cache.output("backup", scratch.path("copy.db"))
            try FileManager.default.removeItem(atPath: cache.path)
        },
    ]

    /// March 1 to 14, 2026.
    private static let days = Timestamp(milliseconds: 1_772_323_200_000)..<Timestamp(milliseconds: 1_773_446_400_000)
    private static let backfillLock: Set = ["quakes.db.backfill-lock"]
    /// A killed restore may already have saved the previous state; the next one saves it again.
    private static let kept: Set<String> = [
        "copy.db", "quakes.db.before-restore", "quakes.db.before-restore-2",
    ]
}
