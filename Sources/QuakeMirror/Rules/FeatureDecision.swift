/// The decision of ``SnapshotRules`` about one feature: the changes to the cache, and facts that matter for the
/// document as a whole.
struct FeatureDecision: Hashable {
    enum Outcome: Hashable {
        /// The feature was judged. If it recurs with the same bytes, it may be skipped.
        case settled
        /// The feature was judged, and must be judged again if it recurs.
        case provisional
        /// The feature changes nothing until the event service has decided.
        case waiting
        /// The feature changes nothing, because the cache has newer information (rule 10).
        case outdated
        /// The feature must be judged in a later turn.
        case postponed
    }

    var outcome = Outcome.settled
    var operations: [Operation] = []
    /// Whether the feature, although outdated, has the values in the cache.
    var repeatsCachedValues = false
    /// The keys of the quakes in the cache that the feature lists.
    var listed: [QuakeKey] = []
    /// The keys among ``listed`` whose cached values the feature does not confirm, because its values are unreadable,
    /// unconfirmed or outdated.
    var unconfirmed: [QuakeKey] = []
    /// The ids that are in question because of the feature, so that the event service must be asked about them.
    var idsInQuestion: [IDInQuestion] = []
    /// The quakes about which only complete responses of the event service can decide, so that their origin times lose
    /// their coverage. Until these responses arrive, the feature is held back, or its ids alone decide.
    var undecidedQuakes: [Quake] = []
    /// The origin times for which the feature disagrees with newer information in the cache: the quake has since
    /// disappeared, moved to another time, or remained only under other ids.
    var disputedOriginTimes: Set<Timestamp> = []
}
