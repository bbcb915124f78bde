import QuakeMirror

extension BackfillEstimate {
    /// `1990-01-01 to 2026-11-22: 301,234 quakes in about 19 requests, 201 MiB (22 MiB compressed), 3 to 8 min`; nil
    /// when nothing is to be asked for, or nothing of it was counted.
    var words: String? {
        guard let first = originTimes.map(\.lowerBound).min(), let last = originTimes.map(\.upperBound).max() else {
            return nil
        }
        let times = (first..<last).words
        let thing = isUpdate ? "change" : "quake"
        guard quakes > 0 else { return isComplete ? "\(times): no \(thing)s" : nil }
        let count = quakes.counted(thing) + (isComplete ? "" : " or more")
        let (least, most) = (duration.lowerBound.words, duration.upperBound.words)
        return "\(times): \(count) in about \(requests.counted("request")), \(bytes.byteWords) "
            + "(\(compressedBytes.byteWords) compressed), \(least == most ? least : "\(least) to \(most)")"
    }

    var record: Record {
        [
            "kind": "estimate", "quakes": quakes, "requests": requests, "bytes": bytes,
            "compressed_bytes": compressedBytes,
            "origin_times": originTimes.map { ["since": $0.lowerBound, "until": $0.upperBound] as Record },
        ]
    }
}

extension RefreshReport {
    /// The record about `window`, which this report is about.
    func record(_ window: BackfillWindow) -> Record {
        [
            "kind": "window", "since": window.originTimes.lowerBound, "until": window.originTimes.upperBound,
            "update": window.isUpdate, "features": features, "inserted": inserted.values.reduce(0, +),
            "updated": updated.values.reduce(0, +), "deleted": deleted.values.reduce(0, +),
        ] + skipped.record + ["transaction": transaction?.number]
    }
}

extension BackfillReport {
    /// `300,000 new, 1,200 changed, 34 deleted, in 19 windows`.
    func words(of request: BackfillRequest) -> String {
        if estimate.originTimes.isEmpty {
            return request == .update ? "There is nothing to update yet." : "The cache already has all of it."
        }
        if dryRun { return "dry run; nothing was fetched" }
        if isComplete, unclaimed.isEmpty, inserted + updated + deleted + skipped == 0 {
            return "nothing new, in \(windows.counted("window"))"
        }
        var parts = ["\(inserted.grouped) new", "\(updated.grouped) changed", "\(deleted.grouped) deleted"]
        if skipped > 0 { parts.append("\(skipped.grouped) skipped") }
        let text = "\(parts.joined(separator: ", ")), in \(windows.counted("window"))"
        if !unclaimed.isEmpty { return "\(text); \(unclaimed.count.counted("window")) incomplete" }
        return isComplete ? text : text + "; stopped early, \(request.nextWords)"
    }

    var record: Record {
        [
            "kind": "total", "complete": isComplete, "dry_run": dryRun, "requests": requests, "windows": windows,
            "features": features, "inserted": inserted, "updated": updated, "deleted": deleted, "skipped": skipped,
            "unclaimed": unclaimed.map(\.record), "token": token.description,
        ]
    }
}

extension UnclaimedWindow {
    /// `the service counted 500 and sent 0: not noted as held`.
    var words: String {
        switch reason {
        case .short(let counted, let sent):
            "the service counted \(counted) but sent \(sent), so this is not counted as coverage"
        case .old(let asOf): "the response is as of \(asOf.secondWords) UTC, too old to count all of this as coverage"
        }
    }

    fileprivate var record: Record {
        let times: Record = ["since": originTimes.lowerBound, "until": originTimes.upperBound]
        return switch reason {
        case .short(let counted, let sent): times + ["counted": counted, "sent": sent, "as_of": nil]
        case .old(let asOf): times + ["counted": nil, "sent": nil, "as_of": asOf]
        }
    }
}

extension BackfillRequest {
    /// How a run that was stopped is continued.
    var nextWords: String {
        switch self {
        case .part(_, again: false), .update: "rerun to resume"
        case .part(_, again: true), .again: "rerun to start over"
        }
    }
}

extension FeedError {
    /// What the event service did, as a clause.
    var serviceWords: String {
        switch self {
        case .status(let status, _): "the service returned status \(status)"
        case .tryLater(_, let status, _): "the service asked for a pause (status \(status))"
        case .transport(.deadlineExceeded(let seconds)): "request timed out after \(Duration.seconds(seconds).words)"
        case .document(let error, _): "invalid response: \(error.words)"
        default: ErrorMessage(self).what.trimmingFullStop
        }
    }
}

extension String {
    fileprivate var trimmingFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
