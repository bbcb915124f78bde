/// The expected size of a backfill.
package struct BackfillEstimate: Hashable, Sendable, Encodable {
    /// The ranges of origin times in the order in which they are requested. A range may recur, with other conditions.
    package let originTimes: [Range<Timestamp>]
    /// The number of quakes in ``originTimes``, as counted by the service.
    package let quakes: Int
    /// The number of counted quakes whose uncertainties are requested as well.
    package let uncertainties: Int
    /// Whether all ranges were counted. If requests or time are limited, some ranges are counted only just before they
    /// are requested.
    package let isComplete: Bool
    /// Whether the backfill only requests changes in parts that the cache already covers.
    package let isUpdate: Bool
    /// The approximate number of requests.
    package let requests: Int
    /// The minimum time between requests.
    package let pause: Duration

    /// The approximate size of the responses, at 700 bytes per feature and 200 per row of uncertainties.
    package var bytes: Int { quakes * 700 + uncertainties * 200 }
    /// The approximate number of bytes transferred, at 75 bytes per compressed feature and 60 per row.
    package var compressedBytes: Int { quakes * 75 + uncertainties * 60 }
    /// The approximate duration. The service takes 10 to 30 seconds for a response with 20,000 quakes.
    package var duration: ClosedRange<Duration> {
        let fixed = max(pause, .seconds(1)) * requests
        let rows = quakes + uncertainties
        return fixed + .milliseconds(rows / 2)...fixed + .milliseconds(rows * 3 / 2)
    }
}
