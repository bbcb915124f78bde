/// How politely and how long a backfill asks the event service.
public struct BackfillSettings: Hashable, Sendable, Codable {
    /// The minimum time from one request to the next, a second at least; nil for a second. A server on this machine may
    /// be asked without a pause, and is without one here.
    public var pause: Duration?
    /// How many requests may be sent; nil for as many as it takes.
    public var maximumRequests: Int?
    /// How long the backfill may take; nil for as long as it takes. A request that has been sent is waited for.
    public var maximumTime: Duration?

    /// Settings; without arguments, as polite and as long as it takes.
    public init(pause: Duration? = nil, maximumRequests: Int? = nil, maximumTime: Duration? = nil) {
        (self.pause, self.maximumRequests, self.maximumTime) = (pause, maximumRequests, maximumTime)
    }
}

/// What a backfill is going to ask for.
public struct BackfillEstimate: Hashable, Sendable, Codable {
    /// The origin time ranges, the earliest first. Several with the same times have different conditions.
    public let originTimes: [Range<Timestamp>]
    /// How many quakes the service counts in them.
    public let quakes: Int
    /// Whether all stretches were counted. A run that may send few requests counts some of them later.
    public let isComplete: Bool
    /// Whether all of them are about what changed in the parts that the cache holds.
    public let isUpdate: Bool
    /// How many requests that takes, about.
    public let requests: Int
    /// The minimum time from one request to the next.
    public let pause: Duration

    /// The bytes of the answers, about: a feature has 700.
    public var bytes: Int { quakes * 700 }
    /// The bytes that pass through the network, about: compressed, a feature has 75.
    public var compressedBytes: Int { quakes * 75 }
    /// How long it takes, about: the service takes 10 to 30 seconds for an answer of 20,000 quakes.
    public var duration: ClosedRange<Duration> {
        let fixed = max(pause, .seconds(1)) * requests
        return fixed + .milliseconds(quakes / 2)...fixed + .milliseconds(quakes * 3 / 2)
    }
}

/// A window of origin times of the catalog for which the event service sent its quakes.
public struct BackfillWindow: Hashable, Sendable, Codable {
    /// The origin times that were asked for.
    public let originTimes: Range<Timestamp>
    /// Whether only changes were asked for.
    public let isUpdate: Bool
    /// What the service had at this moment is in the answer.
    public let asOf: Timestamp
    /// Whether the cache has newer news of its quakes: then it does not prove what the cache holds.
    let isOutdated: Bool
    /// The features in the answer that were asked for.
    let features: Int
    /// How many of them have these origin times. Adjacent windows share one second; its quakes are counted in the later
    /// window.
    public let quakes: Int
}

/// Origin times that a backfill asked for, and of which the cache does not hold what it was to hold.
public struct UnclaimedWindow: Hashable, Sendable, Codable {
    /// Why the window does not count as coverage.
    public enum Reason: Hashable, Sendable, Codable {
        /// The service counted more quakes than it sent.
        case short(counted: Int, sent: Int)
        /// The answer is so old that it says nothing about later origin times, or about later changes.
        case old(asOf: Timestamp)
    }

    /// The origin times that were asked for.
    public let originTimes: Range<Timestamp>
    /// Why they are not held.
    public let reason: Reason
}

public struct BackfillReport: Hashable, Sendable, Codable {
    /// What was to be asked for.
    public internal(set) var estimate: BackfillEstimate
    /// Whether all of it was, and came whole.
    public internal(set) var isComplete = true
    /// Windows that did not arrive completely.
    public internal(set) var unclaimed: [UnclaimedWindow] = []
    public internal(set) var requests = 0
    /// Windows applied.
    public private(set) var windows = 0
    /// Features in these windows; a quake that arrived in several counts once.
    public internal(set) var features = 0
    public private(set) var inserted = 0
    public private(set) var updated = 0
    public private(set) var deleted = 0
    /// How many features could not be read.
    public private(set) var skipped = 0
    /// The point in the history after the backfill.
    public internal(set) var token: HistoryToken
    /// Whether nothing was asked for but the count.
    public let dryRun: Bool

    init(_ estimate: BackfillEstimate, token: HistoryToken, dryRun: Bool) {
        (self.estimate, self.token, self.dryRun) = (estimate, token, dryRun)
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
    /// How many quakes changed, for whatever reason.
    package var total: Int { values.reduce(0, +) }
}
