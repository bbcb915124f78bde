import QuakeMirror

extension RefreshReport {
    /// `all_week: 3,280 in feed, 1,340 new, 205 changed, 1,735 unchanged; 4 no longer in feed
    /// (retraction unconfirmed)`. For a file, the
    /// line begins with its path.
    var line: String {
        let isNamedByFeed = source == feed || source.contains("://")
        return (isDryRun ? "dry run: " : "") + (isNamedByFeed ? feed : "\(source) (\(feed))") + ": " + outcomeWords
    }

    /// `deletions: 12 reported by the event service, 2 now retracted in the cache, 1 checked singly`.
    var deletionsLine: String {
        let counts = [
            (deleted[.retracted] ?? 0, "now retracted in the cache"), (inserted.total, "new"),
            (updated.total, "changed"), (deleted[.merged] ?? 0, "merged"), (asked, "checked singly"),
        ]
        let parts = counts.filter { $0.0 > 0 }.map { count, words in ", \(count.grouped) \(words)" }
        return "\(feed): \(features.grouped) reported by the event service" + parts.joined()
    }

    private var outcomeWords: String {
        switch outcome {
        case .notModified: return "not modified"
        case .empty: return "no quakes match"
        case .older: return "ignored: \(lagWords)"
        case .applied: break
        }
        let restored = inserted[.restored] ?? 0
        // The first count is the number of features in the document, which is the sum of the other `counts` and
        // `others`.
        let counts = [
            (features, "in feed"), (inserted.total - restored, "new"), (updated.total, "changed"),
            (unchanged, "unchanged"),
        ]
        let others = [
            (restored, "restored"), (waiting, "waiting for the event service"),
            (outdated, "older than the cached version"), (skipped.count, "skipped"),
        ]
        let changes =
            "\(missing > 0 ? "other " : "")change\(unconfirmed == 1 ? "" : "s") not applied yet (unconfirmed)"
        let apart = [
            (deleted[.merged] ?? 0, "merged"), (deleted[.retracted] ?? 0, "retracted"),
            (missing, "no longer in feed (retraction unconfirmed)"), (asked, "checked with the event service"),
            (unconfirmed, changes),
        ]
        func words(_ counts: [(Int, String)]) -> [String] { counts.map { count, words in "\(count.grouped) \(words)" } }
        let reasons = ignoredAbsenceReasons.map(\.words).joined(separator: ", ")
        let clauses = [
            words(counts + others.filter { $0.0 > 0 }).joined(separator: ", "),
            words(apart.filter { $0.0 > 0 }).joined(separator: ", "),
            reasons.isEmpty ? "" : "quakes missing from this copy were kept (\(reasons))",
            lag == nil ? "" : lagWords,
        ]
        return clauses.filter { !$0.isEmpty }.joined(separator: "; ")
    }

    private var lagWords: String { "this copy is \((lag ?? .zero).words) older than the newest one read" }

    var record: Record { Self.record(feed: feed, source: source, dryRun: isDryRun, self, error: nil) }

    /// Returns the record of a refresh. If the refresh failed, `report` is nil.
    static func record(feed: String, source: String, dryRun: Bool, _ report: RefreshReport?, error: String?) -> Record {
        func counts(_ counts: [ChangeReason: Int]?, _ reasons: ChangeReason...) -> Record? {
            counts.map { counts in Record(reasons.map { ($0.rawValue, counts[$0] ?? 0) }) }
        }
        let skipped = (report?.skipped ?? []).record
        return [
            "kind": "refresh", "feed": feed, "source": source, "outcome": report?.outcome.rawValue ?? "failed",
            "dry_run": dryRun, "published": report?.generated, "features": report?.features,
            "inserted": counts(report?.inserted, .new, .late, .restored, .split),
            "updated": counts(report?.updated, .revised, .renamed),
            "deleted": counts(report?.deleted, .retracted, .merged), "unchanged": report?.unchanged,
            "missing": report?.missing, "queried": report?.asked, "unconfirmed": report?.unconfirmed,
            "outdated": report?.outdated, "waiting": report?.waiting,
            "absences_ignored_because": report?.ignoredAbsenceReasons.map(\.rawValue),
        ] + (report == nil ? skipped.withoutValues : skipped) + [
            "transaction": report?.transaction?.number, "token": report?.token?.description, "error": error,
        ]
    }

    /// Returns the record of `window`, the only window in this report.
    func record(_ window: BackfillWindow) -> Record {
        [
            "kind": "window", "since": window.originTimes.lowerBound, "until": window.originTimes.upperBound,
            "changes_only": window.isUpdate, "features": features, "inserted": inserted.total, "updated": updated.total,
            "deleted": deleted.total,
        ] + skipped.record + ["transaction": transaction?.number]
    }
}

extension RefreshReport.Suspicion {
    /// The reason as a clause about the copy of the feed.
    fileprivate var words: String {
        switch self {
        case .countMismatch: "its metadata states a different number of quakes"
        case .massDisappearance: "too many are missing at once"
        case .unreadableFeature: "it has an unreadable entry"
        case .emptyFeed: "it is empty"
        }
    }
}

extension SkippedFeature {
    /// The maximum number of unreadable features that are listed per document.
    static let maximumNamed = 20
}

extension [SkippedFeature] {
    /// The members `skipped`, a list of the first of these features, and `skipped_count`, the number of all.
    var record: Record {
        let named = prefix(SkippedFeature.maximumNamed).map { feature in
            ["position": feature.position, "id": feature.id, "reason": feature.defect.words] as Record
        }
        return ["skipped": named, "skipped_count": count]
    }
}
