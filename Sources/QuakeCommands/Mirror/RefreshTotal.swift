import QuakeMirror
import QuakeModel

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
