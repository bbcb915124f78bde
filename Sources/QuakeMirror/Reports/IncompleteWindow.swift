/// Origin times that a backfill requested, but for which quakes or uncertainties may be missing.
public struct IncompleteWindow: Hashable, Sendable, Encodable {
    /// The reason a window is incomplete.
    public enum Reason: Hashable, Sendable, Encodable {
        /// The response contained more or fewer quakes than the service had counted.
        case countMismatch(counted: Int, sent: Int)
        /// The service sent no current uncertainties for some of the quakes that it listed. The window still counts as
        /// coverage.
        case uncertaintiesMissing(quakes: Int, of: Int)
        /// The response reflects the catalog only as of the given time, which is too early to cover all of the
        /// requested origin times.
        case outdated(asOf: Timestamp)
    }

    /// The requested origin times.
    public let originTimes: Range<Timestamp>
    public let reason: Reason
}
