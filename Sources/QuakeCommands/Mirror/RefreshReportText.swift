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

    func write(_ json: JSONWriter) {
        json.member("feed", feed)
        json.member("source", source)
        json.member("outcome", outcome.rawValue)
        json.member("dry_run", dryRun)
        json.member("generated", generated)
        json.member("features", features)
        json.member("inserted", inserted, allReasons: [.new, .late, .restored, .split])
        json.member("updated", updated, allReasons: [.revised, .renamed])
        json.member("deleted", deleted, allReasons: [.retracted, .merged])
        json.member("same", same)
        json.member("missing", missing)
        json.member("asked", asked)
        json.member("doubtful", doubtful)
        json.member("outdated", outdated)
        json.member("suspicions", suspicions.map(\.rawValue))
        skipped.write(json)
        json.member("transaction", transaction?.number)
        json.member("token", token?.description)
        json.nullMember("error")
    }
}

/// A refresh that failed, as a record with the members of a report.
struct FailedRefresh {
    let feed: String
    let source: String
    let dryRun: Bool
    let reason: String

    func write(_ json: JSONWriter) {
        json.member("feed", feed)
        json.member("source", source)
        json.member("outcome", "failed")
        json.member("dry_run", dryRun)
        for name in ["generated", "features", "inserted", "updated", "deleted", "same", "missing", "asked"] {
            json.nullMember(name)
        }
        for name in ["doubtful", "outdated", "suspicions", "skipped", "transaction", "token"] { json.nullMember(name) }
        json.member("error", reason)
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

extension JSONWriter {
    /// Writes counts by reason as an object with a member for every possible reason.
    fileprivate func member(_ name: String, _ counts: [ChangeReason: Int], allReasons: [ChangeReason]) {
        object(name) {
            for reason in allReasons { member(reason.rawValue, counts[reason] ?? 0) }
        }
    }
}
