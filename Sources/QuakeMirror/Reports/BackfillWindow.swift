/// A range of origin times for which the event service has sent the quakes.
package struct BackfillWindow: Hashable, Sendable, Encodable {
    /// The requested origin times.
    package let originTimes: Range<Timestamp>
    /// Whether only changes were requested.
    package let isUpdate: Bool
    /// The moment up to which the response reflects the service's data.
    package let asOf: Timestamp
    /// The reason the window is incomplete; nil if it was recorded as covered and has all requested uncertainties.
    let incomplete: IncompleteWindow.Reason?
    /// The number of features in the response that match the request.
    let features: Int
    /// The number of matching features with an origin time in ``originTimes``. Adjacent windows share one second, whose
    /// quakes count toward the later window.
    package let quakes: Int
}
