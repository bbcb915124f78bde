/// The result of a request for one quake.
package enum EventAnswer<Document: Sendable>: Sendable {
    /// The quake was deleted (status 409).
    case deleted
    /// The quake exists, under this or another id (status 200).
    case known(Document)
    /// There is no definite answer: the status is 204 or 404, the response came over a different scheme (http or https)
    /// than the request, or it cannot be used.
    case unsettled
}

extension EventAnswer: Equatable where Document: Equatable {}
