/// The result of a request for one quake.
package enum EventAnswer<Document: Sendable>: Sendable {
    /// The quake was deleted (409).
    case deleted
    /// The quake exists, under this or another id (200).
    case known(Document)
    /// The outcome is uncertain: status 204 or 404, a response over a different scheme than the request, or one that
    /// cannot be used.
    case unsettled
}

extension EventAnswer: Equatable where Document: Equatable {}
