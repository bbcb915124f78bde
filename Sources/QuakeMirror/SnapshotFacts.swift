import QuakeModel
import QuakeStore

/// What a snapshot says apart from its features, as the rules need it.
struct SnapshotFacts {
    /// The moment the source gives as its own; orders snapshots (rule 10).
    let generated: Timestamp
    /// The origin times it covers, when it is a summary feed (rule 6).
    let window: ClosedRange<Timestamp>?
    /// Whether a quake missing from it may be gone: a complete feed, whole, newer than any applied (rule 7).
    let countsAbsences: Bool
    /// The newest applied snapshots of the complete feeds: until when, and back to when, each covered the world.
    let coveredBefore: [ClosedRange<Timestamp>]
    /// The ids of all its features.
    let listedIDs: ListedIDs

    /// How far from the edges of its window a quake must lie for its absence to count: clocks differ, replicas lag.
    static let margin = Duration.seconds(60)

    /// The origin times for which absence counts.
    var certainWindow: ClosedRange<Timestamp>? {
        guard countsAbsences, let window else { return nil }
        return window.lowerBound + SnapshotFacts.margin...window.upperBound - SnapshotFacts.margin
    }

    /// Whether an earlier snapshot should have listed a quake of this origin time, had it been known an hour after.
    ///
    /// A quarter of all quakes appear more than an hour after they happened.
    func isLate(_ originTime: Timestamp) -> Bool {
        coveredBefore.contains { $0.lowerBound < originTime && originTime + .seconds(3600) < $0.upperBound }
    }
}
