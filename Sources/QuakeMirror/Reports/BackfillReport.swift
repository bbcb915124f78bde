public struct BackfillReport: Hashable, Sendable, Encodable {
    /// The estimate made before the backfill.
    package internal(set) var estimate: BackfillEstimate
    /// The number of quakes that the service counted before the backfill, in the ranges to request.
    public var expectedQuakes: Int { estimate.quakes }
    /// The approximate number of requests that the backfill needs.
    public var expectedRequests: Int { estimate.requests }
    /// Whether everything in the estimate was requested and every response was complete.
    public internal(set) var isComplete = true
    /// The windows that could not be recorded as completely covered, or lack uncertainties.
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
    /// Whether the run ended before its last request, because of a limit or too many incomplete windows.
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
    /// The sum for all reasons.
    package var total: Int { values.reduce(0, +) }
}
