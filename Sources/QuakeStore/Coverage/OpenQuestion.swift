/// An unresolved id to look up at the event service. Claims do not cover its quake. Updates request the id until the
/// service responds.
///
/// The causes include a feature that could not be read, an id that moved to another quake, and a quake that the service
/// did not list when it should have.
package struct OpenQuestion: Hashable, Sendable, Codable {
    package var id: String
    /// A range that contains the quake's origin time, or the requested times if nothing more is known.
    package var originTimes: Range<Timestamp>
    /// The reason the id is unresolved, as text.
    package var reason: String

    package init(id: String, originTimes: Range<Timestamp>, reason: String) {
        (self.id, self.originTimes, self.reason) = (id, originTimes, reason)
    }
}
