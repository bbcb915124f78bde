/// The quakes about which a document cannot decide, so that the event service must.
struct UnresolvedQuakes {
    /// The keys of the quakes whose absence the feeds have confirmed.
    var absentKeys: [QuakeKey] = []
    /// The ids in question (``/QuakeStore/IDInQuestion``).
    var ids: [String] = []

    var isEmpty: Bool { absentKeys.isEmpty && ids.isEmpty }
}
