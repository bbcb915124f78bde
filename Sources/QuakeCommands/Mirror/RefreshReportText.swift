import QuakeMirror

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
        case .empty: return prefix + "no quakes match"
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
            "inserted": nil, "updated": nil, "deleted": nil, "same": nil, "missing": nil, "asked": nil, "doubtful": nil,
            "outdated": nil, "suspicions": nil, "skipped": nil, "skipped_count": nil, "transaction": nil,
            "token": nil, "error": reason,
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

/// What a refresh from several files did in all.
struct RefreshTotal {
    private(set) var applied = 0
    private var ignored = 0
    private var new = 0
    private var changed = 0
    private var restored = 0
    private var merged = 0
    private var retracted = 0
    /// Sources that could not be read or were not valid.
    var failed = 0

    mutating func add(_ report: RefreshReport) {
        guard report.outcome == .applied else { return ignored += 1 }
        applied += 1
        let returned = report.inserted[.restored] ?? 0
        new += report.inserted.values.reduce(0, +) - returned
        restored += returned
        changed += report.updated.values.reduce(0, +)
        merged += report.deleted[.merged] ?? 0
        retracted += report.deleted[.retracted] ?? 0
    }

    /// The total in one line: `total: 300 applied, 158 new, 85 changed, 2 retracted, 1 failed`.
    var line: String {
        var parts = ["\(applied.grouped) applied", "\(new.grouped) new", "\(changed.grouped) changed"]
        let others = [
            (restored, "restored"), (merged, "merged"), (retracted, "retracted"), (ignored, "ignored"),
            (failed, "failed"),
        ]
        parts += others.filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }
        return "total: " + parts.joined(separator: ", ")
    }
}

extension [SkippedFeature] {
    /// How many unreadable features are named without `--verbose`, and how many at most.
    private static let (fewest, most) = (5, 20)

    /// Names the first features of `document` that cannot be read, or what else a `thing` is, and counts the others.
    func name(of document: String, namesMore: Bool, on stream: StandardStream, thing: String = "feature") {
        let named = prefix(namesMore ? Self.most : Self.fewest)
        for feature in named { stream.writeLine("quakes: \(document): skipped \(thing) \(feature.words)") }
        guard count > named.count else { return }
        let hint = namesMore || count <= Self.fewest ? "" : "; --verbose names the first \(Swift.min(count, Self.most))"
        stream.writeLine("quakes: \(document): and \((count - named.count).grouped) more\(hint)")
    }

    /// The members `skipped`, with the first of them, and `skipped_count`.
    var record: Record {
        let named = prefix(Self.most).map { feature in
            ["position": feature.position, "id": feature.id, "reason": feature.defect.words] as Record
        }
        return ["skipped": named, "skipped_count": count]
    }
}
