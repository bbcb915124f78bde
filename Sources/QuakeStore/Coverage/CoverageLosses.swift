/// The quakes that one transaction deleted or changed without the service's word, as far as coverage is concerned.
package struct CoverageLosses {
    /// Who had a quake deleted or changed.
    package enum Cause {
        /// This program's user. No update brings the quake back.
        case user
        /// A feed or a file, which may be wrong: the service may still have the quake.
        case document
    }

    private let conditions: [QuakeFilter]
    private var spans: [Range<Timestamp>?]
    private var moments: Set<Timestamp> = []

    /// Nothing is lost yet of `coverage`.
    init(of coverage: Coverage) {
        conditions = Array(Set(coverage.covered.map(\.conditions)).union(coverage.parts.keys))
        spans = Array(repeating: nil, count: conditions.count)
    }

    /// Counts a quake that had these values.
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

    /// Counts all times of a purge for conditions that accepted one of its quakes: from its start, or the beginning, to
    /// its end, or the newest of its quakes.
    mutating func widen(to purge: QuakeFilter) {
        for (index, span) in spans.enumerated() {
            guard let span else { continue }
            let start = min(purge.since ?? Timestamp.representable.lowerBound, span.lowerBound)
            spans[index] = start..<max(purge.until ?? span.upperBound, span.upperBound)
        }
    }

    /// For each conditions that accepted one of the quakes of the user, their times from the earliest to the latest.
    var byUser: [(conditions: QuakeFilter, times: RangeSet<Timestamp>)] {
        zip(conditions, spans).compactMap { conditions, span in span.map { (conditions, RangeSet($0)) } }
    }

    /// The instants of the quakes that documents deleted, whatever the conditions.
    var byDocuments: RangeSet<Timestamp> { RangeSet(instants: moments) }
}

extension Quake {
    /// Whether the conditions of some coverage may answer otherwise about `other`.
    func hasOtherMeasures(than other: Quake) -> Bool {
        originTime != other.originTime || magnitude != other.magnitude || hypocenter != other.hypocenter
            || eventType != other.eventType
    }
}
