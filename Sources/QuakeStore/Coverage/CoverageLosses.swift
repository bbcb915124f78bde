/// The losses of coverage in one transaction: quakes deleted or changed without confirmation from the event service.
package struct CoverageLosses {
    /// The cause of a deletion or change.
    package enum Cause {
        /// The user of this program. No update restores the quake.
        case user
        /// A feed or a file, which may be wrong: the service may still list the quake.
        case document
    }

    private let conditions: [QuakeFilter]
    private var spans: [Range<Timestamp>?]
    private var moments: Set<Timestamp> = []

    /// Creates a value without losses for the conditions in `coverage`.
    init(of coverage: Coverage) {
        conditions = Array(Set(coverage.covered.map(\.conditions)).union(coverage.parts.keys))
        spans = Array(repeating: nil, count: conditions.count)
    }

    /// Counts a quake by the values that it had before.
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

    /// Widens the losses to all times of a purge, for conditions that accepted one of its quakes: from the purge's
    /// start or the beginning of time to its end or the newest of its quakes.
    mutating func widen(to purge: QuakeFilter) {
        for (index, span) in spans.enumerated() {
            guard let span else { continue }
            let start = min(purge.since ?? Timestamp.representable.lowerBound, span.lowerBound)
            spans[index] = start..<max(purge.until ?? span.upperBound, span.upperBound)
        }
    }

    /// The conditions that accepted quakes lost to the user, with the times from the earliest to the latest of them.
    var byUser: [(conditions: QuakeFilter, times: RangeSet<Timestamp>)] {
        zip(conditions, spans).compactMap { conditions, span in span.map { (conditions, RangeSet($0)) } }
    }

    /// The instants of the quakes lost to documents, whatever the conditions.
    var byDocuments: RangeSet<Timestamp> { RangeSet(instants: moments) }
}

extension Quake {
    /// Whether the conditions of some coverage may accept only one of the two quakes.
    func hasOtherMeasures(than other: Quake) -> Bool {
        originTime != other.originTime || magnitude != other.magnitude || hypocenter != other.hypocenter
            || eventType != other.eventType
    }
}
