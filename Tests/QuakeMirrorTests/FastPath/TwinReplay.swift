@testable import QuakeMirror
import QuakeTestSupport
import Testing

/// Two caches that get the same documents: one passes over features whose bytes it has seen, the other decodes and judges
/// every feature.
struct TwinReplay {
    private let fast: Replay
    private let plain: Replay
    /// How many features held nothing new, so that a test can tell that there was something to pass over.
    private(set) var sameFeatures = 0

    /// Two empty caches in `directory`.
    init(
        in directory: ScratchDirectory, settings: MirrorSettings = MirrorSettings(),
        now: Timestamp = Timestamp(milliseconds: 1_773_489_600_000)
    ) throws {
        fast = try Replay(in: directory, settings: settings, name: "fast.db", now: now)
        plain = try Replay(in: directory, settings: settings, name: "plain.db", skipsUnchanged: false, now: now)
    }

    /// Refreshes both from the file at `path` and returns in words whatever differs afterward: of the reports, and of the
    /// contents unless told otherwise.
    mutating func apply(_ path: String, comparesContents: Bool = true) throws -> [String] {
        let (left, right) = (refresh(fast, path), refresh(plain, path))
        if case .success(let report) = left { sameFeatures += report.same }
        let differences = Self.differences(left, right)
        guard comparesContents else { return differences }
        return try differences + Self.differences(CacheContents(fast), CacheContents(plain))
    }

    /// Refreshes both from every file of `paths` and expects no difference: not of the reports after any of them, and not
    /// of the contents at the end, after every tenth, and under `make test-long` after every one.
    mutating func expectNoDifference(after paths: [String]) throws {
        for (index, path) in paths.enumerated() {
            let isCompared = Thoroughness.isFull || index % 10 == 9 || index == paths.count - 1
            #expect(try apply(path, comparesContents: isCompared) == [], "\(path)")
        }
    }

    private func refresh(_ replay: Replay, _ path: String) -> Result<RefreshReport, any Error> {
        Result { try replay.mirror.refresh(.file(path)) }
    }

    // MARK: What may differ

    /// Drawn at random for each file, so that tokens of one are refused by the other, and the checksums of their rows.
    private static let random: Set<String> = [
        "store.id", "store.checksum", "transactions.fingerprint", "transactions.checksum",
    ]
    /// Whose word a quake stands on is kept in two places: see `confirmationDifferences`. Hashes: see `hashDifferences`.
    private static let compared: Set<String> = [
        "quakes.confirmed", "feeds.roster", "quakes.hash", "quakes.checksum", "feeds.checksum",
    ]

    private static func differences(_ fast: CacheContents, _ plain: CacheContents) -> [String] {
        fast.differences(from: plain, ignoring: random.union(compared)) + confirmationDifferences(fast, plain)
            + hashDifferences(fast, plain)
    }

    /// A quake may have lost its hash in one of them: then its feature is judged the next time and gets it again. Which is
    /// first, the feature that takes an id away or the one it is taken from, depends on what is passed over.
    private static func hashDifferences(_ fast: CacheContents, _ plain: CacheContents) -> [String] {
        zip(fast["quakes"], plain["quakes"]).compactMap { fast, plain in
            let hashes = [fast["hash"], plain["hash"]].compactMap { $0?.integer }
            return hashes.contains(0) || hashes[0] == hashes[1] ? nil : "hashes \(hashes)"
        }
    }

    /// A quake that is judged carries the stamp of the snapshot that confirmed it; of one that is passed over the feed's roster
    /// says so. What counts is the newer of both, and must agree.
    ///
    /// A roster of the fast cache may hold more: an older snapshot of another feed that lists the very bytes the cache holds.
    /// Judged, it is outdated (rule 10). It confirms nothing either way, since a newer snapshot has confirmed the quake.
    private static func confirmationDifferences(_ fast: CacheContents, _ plain: CacheContents) -> [String] {
        let (confirmed, expected) = (fast.confirmations, plain.confirmations)
        var differences = Set(confirmed.keys).union(expected.keys).filter { confirmed[$0] != expected[$0] }.map {
            "quake \($0) confirmed by \(confirmed[$0] ?? 0), \(expected[$0] ?? 0)"
        }
        for (name, roster) in plain.rosters {
            let own = fast.rosters[name]?.keys ?? []
            differences += roster.keys.subtracting(own).map { "quake \($0) is not in the roster of \(name)" }
            differences += own.subtracting(roster.keys).filter { expected[$0, default: .min] <= roster.generated }.map {
                "quake \($0) should not be in the roster of \(name)"
            }
        }
        return differences
    }

    /// A feature that is passed over counts as the same; judged, it may also be outdated, as above. The sum must agree.
    private static func differences(
        _ fast: Result<RefreshReport, any Error>, _ plain: Result<RefreshReport, any Error>
    ) -> [String] {
        switch (fast, plain) {
        case (.success(let fast), .success(let plain)):
            let (left, right) = (lines(fast), lines(plain))
            return zip(left, right).filter { $0 != $1 }.map { "report: \($0), \($1)" }
        case (.failure(let fast as FeedError), .failure(let plain as FeedError)) where fast == plain: return []
        default: return ["report: \(fast), \(plain)"]
        }
    }

    private static func lines(_ report: RefreshReport) -> [String] {
        func reasons(_ counts: [ChangeReason: Int]) -> [String] { counts.map { "\($0.key) \($0.value)" }.sorted() }
        return [
            "\(report.outcome)", report.feed, report.source, "generated \(String(describing: report.generated))",
            "\(report.features) features", "inserted \(reasons(report.inserted))",
            "updated \(reasons(report.updated))", "deleted \(reasons(report.deleted))",
            "\(report.same + report.outdated) same or outdated", "\(report.doubtful) doubtful",
            "\(report.missing) missing", "\(report.ignoredAbsenceReasons)", "\(report.skipped)",
            "transaction \(report.transaction?.number ?? 0)", "token \(report.token?.number ?? 0)",
        ]
    }
}

extension CacheContents {
    fileprivate init(_ replay: Replay) throws {
        try self.init(path: replay.context.cache.path)
    }
}
