@testable import QuakeMirror
import QuakeTestSupport
import Testing

/// Two caches that receive the same documents: one skips features whose bytes it has seen, the other decodes and judges
/// every feature.
struct TwinReplay {
    private let fast: Replay
    private let plain: Replay
    /// The number of features without anything new, so that a test can check that some could be skipped.
    private(set) var sameFeatures = 0

    /// Two empty caches in `directory`.
    init(
        in directory: ScratchDirectory, settings: MirrorSettings = MirrorSettings(),
        now: Timestamp = .minute(60 * 1440)
    ) throws {
        fast = try Replay(in: directory, settings: settings, name: "fast.db", now: now)
        plain = try Replay(in: directory, settings: settings, name: "plain.db", skipsUnchanged: false, now: now)
    }

    /// Refreshes both from the file at `path` and describes all differences in the reports, and by default in the
    /// contents.
    mutating func apply(_ path: String, comparesContents: Bool = true) throws -> [String] {
        let (left, right) = (refresh(fast, path), refresh(plain, path))
        if case .success(let report) = left { sameFeatures += report.unchanged }
        let differences = Self.differences(left, right)
        guard comparesContents else { return differences }
        return try differences + Self.differences(CacheContents(fast), CacheContents(plain))
    }

    /// Refreshes both from every file in `paths` and expects no difference in the reports. Compares the contents at the
    /// end and after every tenth file, or every one under `make test-long`.
    mutating func expectNoDifference(after paths: [String]) throws {
        for (index, path) in paths.enumerated() {
            let isCompared = Thoroughness.isFull || index % 10 == 9 || index == paths.count - 1
            #expect(try apply(path, comparesContents: isCompared) == [], "\(path)")
        }
    }

    private func refresh(_ replay: Replay, _ path: String) -> Result<RefreshReport, any Error> {
        Result { try replay.mirror.refresh(.file(path)) }
    }

    // MARK: Permitted differences

    /// Random for each file, so that each refuses the other's tokens; this affects the checksums of their rows.
    private static let random: Set<String> = [
        "store.id", "store.checksum", "transactions.fingerprint", "transactions.checksum",
    ]
    /// Confirmations are stored in two places: see `confirmationDifferences`. Hashes: see `hashDifferences`.
    private static let compared: Set<String> = [
        "quakes.source_time", "feeds.roster", "quakes.hash", "quakes.checksum", "feeds.checksum",
    ]

    private static func differences(_ fast: CacheContents, _ plain: CacheContents) -> [String] {
        fast.differences(from: plain, ignoring: random.union(compared)) + confirmationDifferences(fast, plain)
            + hashDifferences(fast, plain)
    }

    /// One cache may have lost a quake's hash; its feature is then judged the next time and regains it. The order of
    /// the feature that takes an id away and the one that loses it depends on what is skipped.
    private static func hashDifferences(_ fast: CacheContents, _ plain: CacheContents) -> [String] {
        zip(fast["quakes"], plain["quakes"]).compactMap { fast, plain in
            let hashes = [fast["hash"], plain["hash"]].compactMap { $0?.integer }
            return hashes.contains(0) || hashes[0] == hashes[1] ? nil : "hashes \(hashes)"
        }
    }

    /// A judged quake has the stamp of the snapshot that confirmed it; for a skipped one, the feed's roster records
    /// this. The newer of the two counts and must agree.
    ///
    /// The fast cache's roster may contain more: an older snapshot of another feed may list the very bytes in the
    /// cache. When judged, that feature is outdated (rule 10). It confirms nothing either way, since a newer snapshot
    /// has confirmed the quake.
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

    /// A skipped feature counts as the same; a judged one may also be outdated, as above. The sum must agree.
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
            "\(report.unchanged + report.outdated) unchanged or outdated", "\(report.unconfirmed) unconfirmed",
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
