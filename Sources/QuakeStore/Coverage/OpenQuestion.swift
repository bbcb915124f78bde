/// An id about which the event service is to be asked: coverage is true of all quakes but this one. Updates ask until
/// the service answers.
///
/// A feature of an answer could not be read; a quake lost an id to another one; or the preferred id of a quake stands in
/// a feature whose answer need not list that quake.
public struct OpenQuestion: Hashable, Sendable, Codable {
    public var id: String
    /// Origin times among which the quake's is, as far as that is known: those that were asked for.
    public var originTimes: Range<Timestamp>
    /// Why it is in question, as text.
    public var reason: String

    /// A question about a quake of these origin times.
    public init(id: String, originTimes: Range<Timestamp>, reason: String) {
        (self.id, self.originTimes, self.reason) = (id, originTimes, reason)
    }
}
