import QuakeMirror

extension DetailsReport {
    /// The result: `3 quakes: 27 origin versions, 40 mechanism versions`. For a dry run, the number of requests and an
    /// estimate.
    func words(dryRun: Bool) -> String {
        if quakes + skippedUnchanged == 0 { return "No quakes match." }
        var parts: [String] = []
        if dryRun, quakes > 0 {
            // The service needs one to three seconds per response, which has one to two megabytes.
            let least = max(pause, .seconds(1)) * quakes
            let most = max(pause, .seconds(3)) * quakes
            parts = [
                "dry run: \(quakes.counted("request"))", "about \((quakes << 20).byteWords)",
                (least...most).words,
            ]
        } else if stored > 0 || quakes > missing + failures.count {
            parts = [
                "\(stored.counted("quake")): \((versions[.origins] ?? 0).counted("origin version"))",
                "\((versions[.mechanisms] ?? 0).counted("mechanism version"))",
            ]
        }
        let others = [
            (missing, "quake\(missing == 1 ? "" : "s") without details"),
            (failures.count, "invalid response\(failures.count == 1 ? "" : "s")"),
            (skippedUnchanged - skippedWithoutSolutions, "unchanged since the last fetch"),
            (skippedWithoutSolutions, "without details when last requested (--again requests them again)"),
        ]
        parts += others.filter { $0.0 > 0 }.map { count, words in "\(count.grouped) \(words)" }
        return parts.joined(separator: ", ") + (isComplete || dryRun ? "" : "; stopped early")
    }

    func record(dryRun: Bool) -> Record {
        [
            "kind": "detail-total", "complete": isComplete, "dry_run": dryRun, "quakes": quakes,
            "unchanged": skippedUnchanged,
            "requests": requests, "stored": stored, "missing": missing, "failed": failures.count,
        ] + Record(SolutionKind.allCases.map { ($0.rawValue, versions[$0] ?? 0) })
    }
}

extension QuakeDetail {
    /// The name of the outcome in records, and a sentence for people if there is a problem.
    private var result: (name: String, problem: String?) {
        switch outcome {
        case .stored: ("stored", nil)
        case .deleted: ("deleted", "The event service has deleted this quake.")
        case .notFound: ("not-found", "The event service does not know this quake.")
        case .deletedLocally: ("deleted-locally", "The quake has since been deleted from the cache.")
        case .failed(let error): ("failed", CommandError(error).what)
        }
    }

    var problem: String? { result.problem }

    var record: Record {
        var counts: [SolutionKind: Int]?
        var skipped: [SkippedFeature] = []
        if case .stored(let stored, let unread) = outcome {
            counts = stored
            skipped = unread
        }
        let versions = SolutionKind.allCases.map { kind in (kind.rawValue, counts.map { $0[kind] ?? 0 }) }
        let (name, problem) = result
        return ["kind": "detail", "id": id, "outcome": name] + Record(versions) + skipped.record
            + ["error": name == "failed" ? problem : nil]
    }
}
