/// The coverage that a transaction loses by deleting or changing quakes without confirmation from the event service.
package struct CoverageLosses {
    /// The cause of a deletion or change.
    package enum Cause {
        /// The user of this program. No update restores the quake.
        case user
        /// A feed or a file, which may be wrong, so the service may still list the quake.
        case document
    }

    private let conditions: [QuakeFilter]
    private var spans: [Range<Timestamp>?]
    private var moments: Set<Timestamp> = []

    /// Creates an empty record of losses for the conditions in `coverage`.
    init(of coverage: Coverage) {
        conditions = Array(Set(coverage.covered.map(\.conditions)).union(coverage.parts.keys))
        spans = Array(repeating: nil, count: conditions.count)
    }

    /// Adds a quake with its values before the deletion or change.
    mutating func add(_ quake: Quake, to cause: Cause) {
        guard cause == .user else {
            moments.insert(quake.originTime)
            return
        }
        let instant = quake.originTime..<quake.originTime + .milliseconds(1)
        for index in conditions.indices where conditions[index].accepts(quake) {
            let span = spans[index] ?? instant
            spans[index] =
                min(span.lowerBound, instant.lowerBound)..<max(span.upperBound, instant.upperBound)
        }
    }

    /// Extends the losses to the time range of a purge, for conditions that accepted a purged quake. A purge without a
    /// start begins at the beginning of time; a purge without an end ends at its newest quake.
    mutating func widen(to purge: QuakeFilter) {
        for (index, span) in spans.enumerated() {
            guard let span else { continue }
            let start = min(purge.since ?? Timestamp.representable.lowerBound, span.lowerBound)
            spans[index] = start..<max(purge.until ?? span.upperBound, span.upperBound)
        }
    }

    /// The conditions that accepted quakes changed by the user, each with the range of these quakes' origin times.
    var byUser: [(conditions: QuakeFilter, times: RangeSet<Timestamp>)] {
        zip(conditions, spans).compactMap { conditions, span in span.map { (conditions, RangeSet($0)) } }
    }

    /// The origin times of the quakes changed by documents, for all conditions.
    var byDocuments: RangeSet<Timestamp> { RangeSet(instants: moments) }
}

extension Quake {
    /// Whether coverage conditions could accept one of the two quakes but not the other.
    func hasOtherMeasures(than other: Quake) -> Bool {
        originTime != other.originTime || magnitude != other.magnitude || hypocenter != other.hypocenter
            || eventType != other.eventType
    }
}
