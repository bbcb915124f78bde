/// What the event service said about one quake.
public struct QuakeDetail: Hashable, Sendable {
    /// The quake's preferred id.
    public let id: String
    /// The outcome of the request.
    public let outcome: Outcome

    /// The outcome of the request for one quake.
    public enum Outcome: Hashable, Sendable {
        /// So many versions of each kind are in the cache; the others cannot be read.
        case kept([SolutionKind: Int], skipped: [SkippedFeature])
        /// The service says that the quake was deleted.
        case deleted
        /// The service does not know the quake.
        case unknown
        /// The quake has since been deleted from the cache.
        case gone
        /// The answer is not valid. What the cache has of the quake is as it was.
        case failed(FeedError)
    }
}

/// What came of questions about single quakes.
public struct DetailsReport: Sendable {
    /// Quakes to ask about.
    public let quakes: Int
    /// Quakes that were asked about before and did not change since.
    public let unchanged: Int
    /// The minimum time from one request to the next.
    public let pause: Duration
    /// Whether the service was asked about every quake.
    public internal(set) var isComplete = false
    public internal(set) var requests = 0
    /// Quakes whose versions were kept.
    public private(set) var kept = 0
    /// How many versions of each kind were kept.
    public private(set) var versions: [SolutionKind: Int] = [:]
    /// Quakes that the service has deleted or does not know, or that the cache lost in the meantime.
    public private(set) var missing = 0
    /// Why answers were not valid.
    public private(set) var failures: [FeedError] = []

    init(quakes: Int, unchanged: Int, pause: Duration) {
        (self.quakes, self.unchanged, self.pause) = (quakes, unchanged, pause)
    }

    mutating func add(_ outcome: QuakeDetail.Outcome) {
        switch outcome {
        case .kept(let counts, _):
            kept += 1
            versions.merge(counts, uniquingKeysWith: +)
        case .deleted, .unknown, .gone: missing += 1
        case .failed(let error): failures.append(error)
        }
    }
}
