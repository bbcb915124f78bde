/// A summary of revisions to known quakes: how many were revised, renamed or retracted, and by how much magnitudes
/// changed.
package struct RevisionSummary: Hashable, Sendable {
    /// A change in magnitude.
    package struct MagnitudeChange: Hashable, Sendable {
        /// The id after the change.
        package let id: String
        package let before: Double
        package let after: Double
    }

    /// The number of updates and deletions by reason.
    package private(set) var reasons: [ChangeReason: Int] = [:]
    /// The number of updates that changed a magnitude.
    package private(set) var magnitudeChangeCount = 0
    /// The largest change in magnitude; the first if several are equal.
    package private(set) var largestMagnitudeChange: MagnitudeChange?
    private var sumOfMagnitudeChanges = 0.0

    package init() {}

    /// Adds a change. Inserts are not counted.
    package mutating func add(_ change: HistoryChange) {
        if case .insert = change.effect { return }
        reasons[change.reason, default: 0] += 1
        guard case .update(let before, let after, _) = change.effect, let old = before.magnitude,
            let new = after.magnitude, old != new, (new - old).isFinite
        else { return }
        magnitudeChangeCount += 1
        sumOfMagnitudeChanges += abs(new - old)
        if let largest = largestMagnitudeChange, abs(largest.after - largest.before) >= abs(new - old) { return }
        largestMagnitudeChange = MagnitudeChange(id: after.id, before: old, after: new)
    }

    /// The mean absolute change in magnitude, rounded to two decimals; nil if no magnitude changed.
    package var meanMagnitudeChange: Double? {
        magnitudeChangeCount > 0 ? (sumOfMagnitudeChanges / Double(magnitudeChangeCount) * 100).rounded() / 100 : nil
    }
}
