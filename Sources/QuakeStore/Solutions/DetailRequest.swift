/// A request to the event service for all versions of a quake's solutions.
package struct DetailRequest: Hashable, Sendable {
    package let key: QuakeKey
    package let id: String
    /// The quake's ``/QuakeModel/Quake/updated`` time. The response will reflect all changes up to this time.
    package let updated: Timestamp
    /// Whether the quake's solutions were never requested, or the quake has changed since the last request.
    package let isDue: Bool
    /// Whether the cache has solutions of the quake.
    package let hasSolutions: Bool
}
