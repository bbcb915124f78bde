/// The coverage that a transaction loses by deleting or changing quakes without confirmation from the event service.
package struct LostCoverage {
    /// The cause of a deletion or change.
    package enum Cause {
        /// A purge, an edit or an undo by the user. Updates do not bring the quake back.
        case user
        /// A feed or a file, which may be wrong, so the service may still list the quake.
        case document
        /// A document that changed the solution but not the quake's `updated` time. Updates do not request the new
        /// uncertainties, because the service does not count the quake as changed.
        case solution
    }

    private let conditions: Set<QuakeFilter>
    /// For each of the conditions, the shortest range that contains the origin times of the accepted quakes that the
    /// user changed or deleted.
    private(set) var byUser: [QuakeFilter: Range<Timestamp>] = [:]
    private var moments: Set<Timestamp> = []
    private var momentsOfSolutions: Set<Timestamp> = []

    /// Creates an empty record for the conditions in `coverage`.
    init(of coverage: Coverage) {
        conditions = Set(coverage.covered.map(\.conditions)).union(coverage.requested.keys.map(\.conditions))
    }

    /// Adds a quake with its values before the deletion or change.
    mutating func add(_ quake: Quake, to cause: Cause) {
        switch cause {
        case .user: break
        case .document:
            moments.insert(quake.originTime)
            return
        case .solution:
            momentsOfSolutions.insert(quake.originTime)
            return
        }
        let instant = quake.originTime..<quake.originTime + .milliseconds(1)
        for conditions in conditions where conditions.accepts(quake) {
            byUser[conditions] = byUser[conditions]?.spanning(instant) ?? instant
        }
    }

    /// For the conditions that accepted a purged quake, extends the lost range to the time range of the purge. A purge
    /// without a start begins at the beginning of time; a purge without an end ends at its newest quake.
    mutating func widen(to purge: QuakeFilter) {
        byUser = byUser.mapValues { span in
            let start = min(purge.since ?? Timestamp.representable.lowerBound, span.lowerBound)
            return start..<max(purge.until ?? span.upperBound, span.upperBound)
        }
    }

    /// The origin times of the quakes changed or deleted by documents, which are lost for all conditions.
    var byDocuments: RangeSet<Timestamp> { RangeSet(instants: moments) }

    /// The origin times of the quakes that lost their uncertainties.
    var bySolutions: RangeSet<Timestamp> { RangeSet(instants: momentsOfSolutions) }
}

extension Range<Timestamp> {
    /// Returns the shortest range that contains both ranges.
    package func spanning(_ other: Range<Timestamp>) -> Range<Timestamp> {
        Swift.min(lowerBound, other.lowerBound)..<Swift.max(upperBound, other.upperBound)
    }
}

extension Quake {
    /// Whether coverage conditions could accept one of the two quakes but not the other.
    func hasOtherMeasures(than other: Quake) -> Bool {
        originTime != other.originTime || magnitude != other.magnitude || hypocenter != other.hypocenter
            || eventType != other.eventType
    }
}
