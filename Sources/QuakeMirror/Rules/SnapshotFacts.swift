/// The facts about a snapshot, apart from its features, that the rules need.
struct SnapshotFacts {
    /// The time of the snapshot according to its source; used to order snapshots (rule 10).
    let sourceTime: Timestamp
    /// The origin times that the snapshot covers, if it is a summary feed (rule 6).
    var window: ClosedRange<Timestamp>?
    /// Whether a quake's absence from the document counts. This requires an undamaged feed of all quakes that is newer
    /// than any applied before (rule 7).
    var countsAbsences = false
    /// The origin times covered before this snapshot: by feeds of all quakes or, for an update, by backfills.
    var coveredBefore: [ClosedRange<Timestamp>] = []
    /// The quakes that the snapshot lists, and those that it would list if they existed.
    var listing: DocumentListing
    /// The properties about which the document says nothing (rule 24).
    var missingProperties: Set<QuakeProperty> = []
    /// The treatment of a feature that may be a quake in the cache under another id.
    var ambiguousFeatures = AmbiguityPolicy.useIDs
    /// The origin times that backfills will request again, completely, if their coverage is lost. The responses then
    /// decide about features that may be a quake in the cache under another id.
    var timesToFetchAgain = RangeSet<Timestamp>()
    /// Whether the snapshot is the event service's response to a backfill or about a single quake, instead of a feed or
    /// file.
    var isFromService = false
    /// Whether the snapshot is the event service's response about a single quake. An update time older than the cached
    /// one is then accepted without confirmation.
    var isAboutOneQuake = false

    /// A quake's absence counts only if its origin time is at least this far inside the times of the document, because
    /// clocks differ, replicas lag, and origin times are revised.
    private static let margin = Duration.seconds(60)

    /// Returns whether a document that lists all quakes of `times` would list a quake with this origin time.
    static func wouldList(_ originTime: Timestamp, in times: some RangeExpression<Timestamp>) -> Bool {
        times.contains(originTime - margin) && times.contains(originTime + margin)
    }

    /// The origin times for which absences count; nil if no absence counts.
    var certainWindow: ClosedRange<Timestamp>? {
        guard countsAbsences, let window else { return nil }
        return window.lowerBound + SnapshotFacts.margin...window.upperBound - SnapshotFacts.margin
    }

    /// Returns whether the snapshot is from the catalog, and a quake with this origin time is too old for every feed.
    /// No later feed can then confirm or contradict the catalog, so there is no point in recording an unconfirmed
    /// change.
    func isBeyondFeeds(_ originTime: Timestamp) -> Bool {
        isFromService && originTime < sourceTime - FeedName.Period.month.window
    }

    /// Returns whether a new quake with this origin time is late: the time and the hour after it were covered before
    /// this snapshot.
    ///
    /// A quarter of all quakes appear more than an hour after they happened.
    func isLate(_ originTime: Timestamp) -> Bool {
        coveredBefore.contains { $0.lowerBound < originTime && originTime + .seconds(3600) < $0.upperBound }
    }
}

/// The treatment of a feature that may be a cached quake under another id, if the document need not list that quake.
enum AmbiguityPolicy {
    /// The event service is not asked, so the feature's ids alone decide.
    case useIDs
    /// If complete responses for the days of both origin times are still to be applied in this backfill, these
    /// responses decide. Otherwise, the service is asked about the quake and, if the feature matches no other quake in
    /// the cache, about the feature.
    case askService
}
