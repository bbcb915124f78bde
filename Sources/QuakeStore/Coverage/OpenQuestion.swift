/// An unresolved id to look up at the event service: coverage includes every quake except this one. Updates request the
/// id until the service responds.
///
/// The causes include a feature that could not be read, an id that moved to another quake, and a quake that the service
/// did not list when it should have.
public struct OpenQuestion: Hashable, Sendable, Codable {
    public var id: String
    /// A range that contains the quake's origin time, as far as it is known: the requested times.
    public var originTimes: Range<Timestamp>
    /// The reason it is unresolved, as text.
    public var reason: String

    /// Creates an unresolved id for a quake in this range of origin times.
    public init(id: String, originTimes: Range<Timestamp>, reason: String) {
        (self.id, self.originTimes, self.reason) = (id, originTimes, reason)
    }
}
