import QuakeFeed
import QuakeMirror
import QuakeModel
import QuakeOutput

extension RefreshReport {
    /// The report in one line: `all_week: 3280 in feed, 1340 new, 205 changed, 1735 unchanged, 4 missing (unconfirmed)`.
    ///
    /// - Parameter namesFile: start with the path of the file, which tells several of one feed apart.
    func line(namesFile: Bool) -> String {
        let feedWords =
            feed.contains("://") ? SourceWords(feed).text.replacing(": ", with: " ", maxReplacements: 1) : feed
        var remarks = namesFile && feed != source ? [feedWords] : []
        if dryRun { remarks.append("dry run") }
        let prefix =
            (namesFile ? source : feedWords) + (remarks.isEmpty ? "" : " (\(remarks.joined(separator: ", ")))") + ": "
        switch outcome {
        case .notModified: return prefix + "not modified"
        case .empty: return prefix + "no feed on the server"
        case .older: return prefix + "older than the last one applied, ignored"
        case .applied: return prefix + parts.joined(separator: ", ")
        }
    }

    private var parts: [String] {
        let insertedCount = inserted.values.reduce(0, +)
        let restored = inserted[.restored] ?? 0
        var parts = [
            "\(features.grouped) in feed", "\((insertedCount - restored).grouped) new",
            "\(updated.values.reduce(0, +).grouped) changed",
        ]
        parts.append("\(same.grouped) unchanged")
        if restored > 0 { parts.append("\(restored.grouped) restored") }
        if let merged = deleted[.merged] { parts.append("\(merged.grouped) merged") }
        if let retracted = deleted[.retracted] { parts.append("\(retracted.grouped) retracted") }
        if missing > 0 { parts.append("\(missing.grouped) missing (unconfirmed)") }
        if asked > 0 { parts.append("\(asked.grouped) checked") }
        if doubtful > 0 { parts.append("\(doubtful.grouped) unconfirmed") }
        if outdated > 0 { parts.append("\(outdated.grouped) outdated") }
        if !skipped.isEmpty { parts.append("\(skipped.count.grouped) skipped") }
        return parts + suspicions.map(\.words)
    }

    var record: Record {
        [
            "feed": feed, "source": source, "outcome": outcome.rawValue, "dry_run": dryRun, "generated": generated,
            "features": features, "inserted": Self.record(inserted, [.new, .late, .restored, .split]),
            "updated": Self.record(updated, [.revised, .renamed]),
            "deleted": Self.record(deleted, [.retracted, .merged]), "same": same, "missing": missing, "asked": asked,
            "doubtful": doubtful, "outdated": outdated, "suspicions": suspicions.map(\.rawValue),
        ] + skipped.record + ["transaction": transaction?.number, "token": token?.description, "error": nil]
    }

    /// Counts with a member for each of `reasons`, even without any.
    private static func record(_ counts: [ChangeReason: Int], _ reasons: [ChangeReason]) -> Record {
        Record(reasons.map { ($0.rawValue, counts[$0] ?? 0) })
    }

    /// A refresh that failed, as a record with the members of a report.
    static func failure(feed: String, source: String, dryRun: Bool, reason: String) -> Record {
        [
            "feed": feed, "source": source, "outcome": "failed", "dry_run": dryRun, "generated": nil, "features": nil,
            "inserted": nil, "updated": nil, "deleted": nil, "same": nil, "missing": nil, "asked": nil,
            "doubtful": nil, "outdated": nil, "suspicions": nil, "skipped": nil, "transaction": nil, "token": nil,
            "error": reason,
        ]
    }
}

extension RefreshReport.Suspicion {
    /// The suspicion and its consequence.
    var words: String {
        switch self {
        case .countMismatch: "feed count differs (absences ignored)"
        case .massDisappearance: "too many missing at once (absences ignored)"
        case .unreadableFeature: "a feature has no readable id (absences ignored)"
        }
    }
}
