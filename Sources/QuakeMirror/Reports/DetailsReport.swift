/// The results of requests for the solutions of individual quakes.
public struct DetailsReport: Sendable {
    /// The number of quakes to request.
    public let quakes: Int
    /// The number of quakes left out because they have not changed since they were last requested.
    package let skippedUnchanged: Int
    /// The number of these quakes without solutions, because the service had none when they were last requested.
    package let skippedWithoutSolutions: Int
    /// The minimum time between requests.
    package let pause: Duration
    /// Whether every quake was requested.
    public internal(set) var isComplete = false
    public internal(set) var requests = 0
    /// The number of quakes whose solutions were stored.
    public private(set) var stored = 0
    /// The number of solution versions stored, by kind.
    public private(set) var versions: [SolutionKind: Int] = [:]
    /// The number of quakes without stored solutions, because the service has deleted them or does not know them, or
    /// because they were deleted from the cache meanwhile.
    public private(set) var missing = 0
    /// The errors of unusable responses, one per quake.
    public private(set) var failures: [FeedError] = []

    init(requesting plan: [DetailRequest], skipping skipped: [DetailRequest], pause: Duration) {
        quakes = plan.count
        skippedUnchanged = skipped.count
        skippedWithoutSolutions = skipped.count { !$0.hasSolutions }
        self.pause = pause
    }

    mutating func add(_ outcome: QuakeDetail.Outcome) {
        switch outcome {
        case .stored(let counts, _):
            stored += 1
            versions.merge(counts, uniquingKeysWith: +)
        case .deleted, .notFound, .deletedLocally: missing += 1
        case .failed(let error): failures.append(error)
        }
    }
}
