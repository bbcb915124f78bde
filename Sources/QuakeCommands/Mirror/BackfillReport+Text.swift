import QuakeMirror

extension BackfillEstimate {
    /// The estimate: `1990-01-01 to 2026-11-22: 301,234 quakes in about 19 requests, 201 MiB (22 MiB compressed), 3 to
    /// 8 min`; nil if there is nothing to fetch.
    var words: String? {
        guard let first = originTimes.map(\.lowerBound).min(), let last = originTimes.map(\.upperBound).max() else {
            return nil
        }
        let count =
            quakes.counted(isUpdate ? "change" : "quake") + (isComplete ? "" : " or more") + uncertaintyWords
        return "\((first..<last).words): \(count) in about \(requests.counted("request")), \(bytes.byteWords) "
            + "(\(compressedBytes.byteWords) compressed), \(duration.words)"
    }

    private var uncertaintyWords: String {
        if uncertainties == 0 {
            ""
        } else if uncertainties == quakes {
            " with uncertainties"
        } else {
            " (\(uncertainties.grouped) with uncertainties)"
        }
    }

    var record: Record {
        [
            "kind": "estimate", "quakes": quakes, "uncertainties": uncertainties, "requests": requests, "bytes": bytes,
            "compressed_bytes": compressedBytes,
            "origin_times": originTimes.map { ["since": $0.lowerBound, "until": $0.upperBound] as Record },
        ]
    }
}

extension BackfillReport {
    /// The result: `300,000 new, 1,200 changed, 34 deleted, in 19 batches`.
    var words: String {
        if estimate.originTimes.isEmpty { return "The cache already has everything requested." }
        if isDryRun { return "dry run: nothing was fetched" }
        return "\(inserted.grouped) new, \(updated.grouped) changed, \(deleted.grouped) deleted"
            + (skipped > 0 ? ", \(skipped.grouped) skipped" : "") + ", in \(windows.batchWords)"
            + (incompleteWindows.isEmpty ? "" : "; \(incompleteWindows.count.batchWords) incomplete")
            + (stoppedEarly ? "; stopped early" : "")
    }

    var record: Record {
        [
            "kind": "total", "complete": isComplete, "dry_run": isDryRun, "requests": requests, "windows": windows,
            "features": features, "inserted": inserted, "updated": updated, "deleted": deleted,
            "skipped_count": skipped, "incomplete_windows": incompleteWindows.map(\.record), "token": token.description,
        ]
    }
}

extension Int {
    /// The number of batches, which are the request windows of a backfill: `1 batch`, `19 batches`.
    var batchWords: String { "\(grouped) \(self == 1 ? "batch" : "batches")" }
}

extension IncompleteWindow {
    /// The reason this window is incomplete.
    var words: String {
        switch reason {
        case .countMismatch(let counted, let sent):
            "the service counted \(counted.counted("quake")), but its response contained "
                + "\(sent.counted("matching quake")), so this time range is not covered"
        case .uncertaintiesMissing(let missing, let sent):
            "the service sent no current uncertainties for \(missing.grouped) of \(sent.counted("quake"))"
        case .outdated(let asOf):
            "the response is as of \(asOf.secondWords) UTC, too old to cover this whole time range"
        }
    }

    fileprivate var record: Record {
        let times: Record = ["since": originTimes.lowerBound, "until": originTimes.upperBound]
        func record(counted: Int? = nil, sent: Int? = nil, withoutUncertainties: Int? = nil, asOf: Timestamp? = nil)
            -> Record
        {
            times + ["counted": counted, "sent": sent, "without_uncertainties": withoutUncertainties, "as_of": asOf]
        }
        return switch reason {
        case .countMismatch(let counted, let sent): record(counted: counted, sent: sent)
        case .uncertaintiesMissing(let missing, let sent): record(sent: sent, withoutUncertainties: missing)
        case .outdated(let asOf): record(asOf: asOf)
        }
    }
}

extension ClosedRange<Duration> {
    /// `3 to 8 min`, `50 s to 2 min`, `about 1 s`.
    var words: String {
        if lowerBound.words == upperBound.words { return "about \(upperBound.words)" }
        let least = lowerBound.words.split(separator: " ")
        let most = upperBound.words
        let hasOneUnit = least.count == 2 && most.split(separator: " ").count == 2 && most.hasSuffix(" \(least[1])")
        return "\(hasOneUnit ? least[0] : Substring(lowerBound.words)) to \(most)"
    }
}
