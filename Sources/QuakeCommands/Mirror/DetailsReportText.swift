import QuakeMirror

extension DetailsReport {
    /// `3 quakes: 27 versions of origins, 40 of moment tensors and focal mechanisms`.
    func words(dryRun: Bool) -> String {
        let same = unchanged - withoutSolutions
        var left = same == 0 ? "" : "; \(same.counted("quake")) unchanged since last time"
        if withoutSolutions > 0 {
            left +=
                "; the event service did not have \(withoutSolutions.counted("quake")) when last asked; --again asks again"
        }
        if quakes == 0 { return unchanged == 0 ? "No quake in the cache matches." : "Nothing to fetch\(left)." }
        if dryRun {
            // The service takes one to three seconds for an answer of one or two megabytes.
            let (least, most) = (max(pause, .seconds(1)) * quakes, max(pause, .seconds(3)) * quakes)
            return "dry run: \(quakes.counted("request")), about \((quakes << 20).byteWords), "
                + "\(least.words) to \(most.words)\(left)"
        }
        var parts = [
            "\(kept.counted("quake")): \((versions[.origins] ?? 0).counted("version")) of origins, "
                + "\((versions[.mechanisms] ?? 0).grouped) of moment tensors and focal mechanisms"
        ]
        if deleted > 0 { parts.append("\(deleted.counted("quake")) deleted by the event service") }
        if unknown > 0 { parts.append("\(unknown.counted("quake")) unknown to the event service") }
        let gone = missing - deleted - unknown
        if gone > 0 { parts.append("\(gone.counted("quake")) since deleted from the cache") }
        if !failures.isEmpty { parts.append("\(failures.count.counted("response")) invalid") }
        let end = isComplete ? "" : "; stopped early, rerun to resume"
        return parts.joined(separator: ", ") + left + end
    }

    func record(dryRun: Bool) -> Record {
        [
            "kind": "detail-total", "complete": isComplete, "dry_run": dryRun, "quakes": quakes, "unchanged": unchanged,
            "requests": requests, "kept": kept, "missing": missing, "failed": failures.count,
        ] + Record(SolutionKind.allCases.map { ($0.rawValue, versions[$0] ?? 0) })
    }
}

extension QuakeDetail {
    var record: Record {
        var (counts, skipped): ([SolutionKind: Int]?, [SkippedFeature]) = (nil, [])
        if case .kept(let kept, let left) = outcome { (counts, skipped) = (kept, left) }
        let versions = SolutionKind.allCases.map { kind in (kind.rawValue, counts.map { $0[kind] ?? 0 }) }
        let error: String? = if case .failed = outcome { outcome.trouble } else { nil }
        return ["kind": "detail", "id": id, "outcome": outcome.name] + Record(versions) + skipped.record
            + ["error": error]
    }
}

extension QuakeDetail.Outcome {
    fileprivate var name: String {
        switch self {
        case .kept: "kept"
        case .deleted: "deleted"
        case .unknown: "unknown"
        case .gone: "gone"
        case .failed: "failed"
        }
    }

    /// What people should know about it.
    var trouble: String? {
        switch self {
        case .kept: nil
        case .deleted: "The event service has deleted this quake."
        case .unknown: "The event service does not know this quake."
        case .gone: "The quake has since been deleted from the cache."
        case .failed(let error): ErrorMessage(error).what
        }
    }
}
