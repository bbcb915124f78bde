/// The expected size of a backfill.
public struct BackfillEstimate: Hashable, Sendable, Codable {
    /// The ranges of origin times to request, earliest first. A range may recur, with other conditions.
    public let originTimes: [Range<Timestamp>]
    /// The number of quakes in ``originTimes``, as counted by the service.
    public let quakes: Int
    /// Whether all ranges were counted. If the number of requests is limited, some are only counted later.
    package let isComplete: Bool
    /// Whether the backfill only requests changes in the parts that the cache already holds.
    package let isUpdate: Bool
    /// The approximate number of requests.
    public let requests: Int
    /// The minimum time between requests.
    package let pause: Duration

    /// The approximate size of the responses, at 700 bytes per feature.
    package var bytes: Int { quakes * 700 }
    /// The approximate number of bytes transferred, at 75 bytes per compressed feature.
    package var compressedBytes: Int { quakes * 75 }
    /// The approximate duration. The service takes 10 to 30 seconds for a response with 20,000 quakes.
    public var duration: ClosedRange<Duration> {
        let fixed = max(pause, .seconds(1)) * requests
        return fixed + .milliseconds(quakes / 2)...fixed + .milliseconds(quakes * 3 / 2)
    }
}
