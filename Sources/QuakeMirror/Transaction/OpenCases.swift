/// The quakes about which a document leaves the event service to decide.
struct OpenCases {
    /// The keys of the quakes whose absence the feeds have confirmed.
    var absentKeys: [QuakeKey] = []
    /// The ids in question.
    var ids: [String] = []

    var isEmpty: Bool { absentKeys.isEmpty && ids.isEmpty }
}
