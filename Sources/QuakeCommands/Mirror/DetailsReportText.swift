import QuakeMirror

extension DetailsReport {
    /// `3 quakes: 27 versions of origins, 40 of moment tensors and focal mechanisms`.
    func words(dryRun: Bool) -> String {
        if quakes + unchanged == 0 { return "No quake in the cache matches." }
        var parts: [String] = []
        if dryRun, quakes > 0 {
            // The service takes one to three seconds for an answer of one or two megabytes.
            let (least, most) = (max(pause, .seconds(1)) * quakes, max(pause, .seconds(3)) * quakes)
            parts = [
                "dry run: \(quakes.counted("request"))", "about \((quakes << 20).byteWords)",
                "\(least.words) to \(most.words)",
            ]
        } else if quakes > 0 {
            parts = [
                "\(kept.counted("quake")): \((versions[.origins] ?? 0).counted("version")) of origins",
                "\((versions[.mechanisms] ?? 0).grouped) of moment tensors and focal mechanisms",
            ]
        }
        let others = [(missing, "missing"), (failures.count, "invalid"), (unchanged, "unchanged since last time")]
        parts += others.filter { $0.0 > 0 }.map { count, words in "\(count.grouped) \(words)" }
        return parts.joined(separator: ", ") + (isComplete || dryRun ? "" : "; stopped early")
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
        let (name, counts, skipped, error): (String, [SolutionKind: Int]?, [SkippedFeature], String?) =
            switch outcome {
            case .kept(let counts, let skipped): ("kept", counts, skipped, nil)
            case .deleted: ("deleted", nil, [], nil)
            case .unknown: ("unknown", nil, [], nil)
            case .gone: ("gone", nil, [], nil)
            case .failed: ("failed", nil, [], outcome.trouble)
            }
        let versions = SolutionKind.allCases.map { kind in (kind.rawValue, counts.map { $0[kind] ?? 0 }) }
        return ["kind": "detail", "id": id, "outcome": name] + Record(versions) + skipped.record + ["error": error]
    }
}

extension QuakeDetail.Outcome {
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
