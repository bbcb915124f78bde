/// The facts about a snapshot, apart from its features, that the rules need.
struct SnapshotFacts {
    /// The time of the snapshot according to its source; used to order snapshots (rule 10).
    let sourceTime: Timestamp
    /// The origin times that the snapshot covers, if it is a summary feed (rule 6).
    var window: ClosedRange<Timestamp>?
    /// Whether a quake's absence from the document counts. This requires an undamaged feed of all quakes that is newer
    /// than any applied before (rule 7).
    var countsAbsences = false
    /// The origin times covered by the newest applied snapshots of the complete feeds.
    var coveredBefore: [ClosedRange<Timestamp>] = []
    /// The quakes that the snapshot lists, or would list.
    var listing: Listing
    /// The properties about which the document says nothing (rule 24).
    var lacks: Set<QuakeProperty> = []
    /// The treatment of a feature that may be a quake in the cache under another id.
    var undecided = UndecidedFeature.decidedAlone
    /// The origin times for which complete responses will follow if their coverage ends. These responses decide about
    /// such features.
    var fetchedWhole = RangeSet<Timestamp>()
    /// Whether the snapshot is the event service's response about the catalog instead of a feed.
    var isCatalog = false
    /// Whether the snapshot is the event service's answer about a single quake. Its update time needs no confirmation.
    var isAnswer = false

    /// How far inside a document's times a quake must be for its absence to count, because clocks differ, replicas lag,
    /// and origin times are revised.
    private static let margin = Duration.seconds(60)

    /// Returns whether a document that lists all quakes of `times` would list one with this origin time.
    static func wouldList(_ originTime: Timestamp, in times: some RangeExpression<Timestamp>) -> Bool {
        times.contains(originTime - margin) && times.contains(originTime + margin)
    }

    /// The origin times for which absences count.
    var certainWindow: ClosedRange<Timestamp>? {
        guard countsAbsences, let window else { return nil }
        return window.lowerBound + SnapshotFacts.margin...window.upperBound - SnapshotFacts.margin
    }

    /// Returns whether a quake with this origin time is too old for every feed. Then no later snapshot can confirm or
    /// contradict the catalog, so there is no point in recording an unconfirmed change.
    func isBeyondFeeds(_ originTime: Timestamp) -> Bool {
        isCatalog && originTime < sourceTime - FeedName.Period.month.window
    }

    /// Returns whether an earlier snapshot should have listed a quake with this origin time within an hour.
    ///
    /// A quarter of all quakes appear more than an hour after they happened.
    func isLate(_ originTime: Timestamp) -> Bool {
        coveredBefore.contains { $0.lowerBound < originTime && originTime + .seconds(3600) < $0.upperBound }
    }
}

/// The treatment of a feature that may be a quake in the cache which the document need not list.
enum UndecidedFeature {
    /// Nobody can be asked, so the feature's ids decide.
    case decidedAlone
    /// Complete responses for the days of both decide, if they will follow. Otherwise, the event service is asked about
    /// the quake and, if the feature's own id is new, about the feature.
    case asked
}
