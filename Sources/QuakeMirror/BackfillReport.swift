/// The pause, request limit and time limit of a backfill.
public struct BackfillSettings: Hashable, Sendable {
    /// The minimum time between requests; nil for the shortest allowed, which is one second, or zero for a server on
    /// this machine.
    public var pause: Duration?
    /// The maximum number of requests; nil for no limit.
    public var maximumRequests: Int?
    /// The maximum duration of the backfill; nil for no limit. A request in progress may finish.
    public var maximumTime: Duration?

    /// Creates settings; by default with a one-second pause and no limits.
    public init(pause: Duration? = nil, maximumRequests: Int? = nil, maximumTime: Duration? = nil) {
        self.pause = pause
        self.maximumRequests = maximumRequests
        self.maximumTime = maximumTime
    }
}

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

/// A range of origin times for which the event service has sent the quakes.
package struct BackfillWindow: Hashable, Sendable, Codable {
    /// The requested origin times.
    package let originTimes: Range<Timestamp>
    /// Whether only changes were requested.
    package let isUpdate: Bool
    /// The moment as of which the response reflects the service's data.
    package let asOf: Timestamp
    /// Whether the cache has newer information about some of the quakes, so that the response proves nothing about
    /// coverage.
    let isOutdated: Bool
    /// The number of features in the response that match the request.
    let features: Int
    /// The number of matching features with these origin times. Adjacent windows share one second, whose quakes count
    /// toward the later window.
    package let quakes: Int
}

/// Origin times that a backfill requested but could not record as completely covered.
public struct IncompleteWindow: Hashable, Sendable, Codable {
    /// The reason a window does not count as coverage.
    public enum Reason: Hashable, Sendable, Codable {
        /// The response contained more or fewer quakes than the service had counted.
        case countMismatch(counted: Int, sent: Int)
        /// The response reflects the catalog only as of the given time, which is too early to count as coverage.
        case outdated(asOf: Timestamp)
    }

    /// The requested origin times.
    public let originTimes: Range<Timestamp>
    public let reason: Reason
}

public struct BackfillReport: Hashable, Sendable, Codable {
    /// The estimate made before the backfill.
    package internal(set) var estimate: BackfillEstimate
    /// Whether everything in the estimate was requested and every response was complete.
    public internal(set) var isComplete = true
    /// The windows that could not be recorded as completely covered.
    public internal(set) var incompleteWindows: [IncompleteWindow] = []
    public internal(set) var requests = 0
    /// The number of windows applied.
    package private(set) var windows = 0
    /// The number of features received. A quake received in several windows is counted once.
    public internal(set) var features = 0
    public private(set) var inserted = 0
    public private(set) var updated = 0
    public private(set) var deleted = 0
    /// The number of unreadable features.
    package private(set) var skipped = 0
    /// Whether the run left requests out, because of a limit or of too many incomplete windows.
    package var stoppedEarly = false
    /// The position in the history after the backfill.
    public internal(set) var token: HistoryToken
    /// Whether this was a dry run, which only counts the quakes.
    public let isDryRun: Bool

    init(_ estimate: BackfillEstimate, token: HistoryToken, dryRun: Bool) {
        self.estimate = estimate
        self.token = token
        self.isDryRun = dryRun
    }

    mutating func add(_ report: RefreshReport) {
        windows += 1
        features += report.window?.quakes ?? 0
        inserted += report.inserted.total
        updated += report.updated.total
        deleted += report.deleted.total
        skipped += report.skipped.count
    }
}

extension [ChangeReason: Int] {
    /// The number of quakes, whatever the reason.
    package var total: Int { values.reduce(0, +) }
}
