import QuakeFeed
import QuakeModel
import QuakeStore

/// One stretch while it is asked for: which windows have come, which is next, and whether all came.
struct StretchFetch {
    let stretch: CatalogueStretch
    private let count: CatalogueCount?
    /// What has come, also in an earlier run.
    private(set) var fetched: [FetchedWindow]
    /// How many quakes were reported of each that has come in this run.
    private(set) var quakes: [FetchedWindow: Int] = [:]
    /// Whether as many quakes came as the service had counted.
    private(set) var isProven = false
    private var rests: [Range<Timestamp>]
    private var length: WindowLength
    private var refusals: [FeedError] = []

    /// - Parameters:
    ///   - count: what the service counted before; nil when it could not be asked.
    ///   - fetched: windows that need not be asked for.
    init(of stretch: CatalogueStretch, count: CatalogueCount?, fetched: [FetchedWindow]) {
        self.stretch = stretch
        self.count = count
        self.fetched = fetched
        rests = fetched.reduce([stretch.originTimes]) { rests, window in
            rests.flatMap { rest in
                [
                    rest.lowerBound..<max(rest.lowerBound, min(rest.upperBound, window.originTimes.lowerBound)),
                    min(rest.upperBound, max(rest.lowerBound, window.originTimes.upperBound))..<rest.upperBound,
                ].filter { !$0.isEmpty }
            }
        }
        let left = (count?.count ?? 0) - fetched.reduce(0) { $0 + $1.features }
        length = WindowLength(
            rests.first ?? stretch.originTimes, CatalogueCount(count: max(0, left), maxAllowed: count?.maxAllowed))
    }

    /// The next window to ask for; nil when all have come.
    var nextWindow: Range<Timestamp>? { rests.first.map { length.window(startOf: $0) } }

    /// What is to be done for `window`, which is next.
    func task(for window: Range<Timestamp>, epoch: Int64) -> WindowTask {
        WindowTask(
            stretch: stretch.in(window), isFollowed: window.upperBound < stretch.originTimes.upperBound,
            limit: WindowLength.halves(of: window).map { _ in length.most }, epoch: epoch, proof: proof)
    }

    /// Halves the window that comes next, where it can become shorter.
    mutating func halve(_ window: Range<Timestamp>) { _ = length.halve(window) }

    /// Halves the window that comes next after the service refused it. Returns how often it did so in a row.
    ///
    /// - Throws: the first refusal, or this one, where halves are of no use.
    mutating func refuse(_ window: Range<Timestamp>, because error: FeedError) throws -> Int {
        refusals.append(error)
        guard refusals.count <= error.mostHalvings else { throw refusals[0] }
        // What cannot be halved any more is told as it was asked.
        guard length.halve(window) else { throw error }
        return refusals.count
    }

    /// The windows that are proven whole when `window` comes, itself among them; nil while some are missing, or when
    /// fewer quakes came than were counted.
    private func proof(_ window: FetchedWindow) -> [FetchedWindow]? {
        guard rests.count == 1, window.originTimes.upperBound == rests[0].upperBound else { return nil }
        return isWhole(fetched + [window]) ? fetched + [window] : nil
    }

    /// The windows that an earlier run fetched, if they are all of the stretch and proven whole now.
    mutating func proofOfFetched() -> [FetchedWindow]? {
        guard rests.isEmpty, isWhole(fetched) else { return nil }
        isProven = true
        return fetched
    }

    private func isWhole(_ windows: [FetchedWindow]) -> Bool {
        count.map { count in windows.reduce(0) { $0 + $1.features } >= count.leastToSend } ?? false
    }

    /// Notes that the answer about the next window has been applied.
    mutating func add(_ report: RefreshReport) {
        guard let answered = report.window else { return }
        let window = FetchedWindow(
            originTimes: answered.originTimes, asOf: answered.asOf, features: answered.features)
        quakes[window] = answered.quakes
        isProven = proof(window) != nil
        length.learn(window.originTimes, quakes: report.features)
        fetched.append(window)
        rests[0] = window.originTimes.upperBound..<rests[0].upperBound
        rests.removeAll(where: \.isEmpty)
        refusals = []
    }
}

extension CatalogueCount {
    /// How many of the counted quakes must come at least.
    ///
    /// The count comes before the quakes. What is published between them makes more, and what is deleted is sent as
    /// deleted; a merge, or a revision that moves a quake out of the conditions, makes one less. So nothing may lack
    /// where an answer follows its count; for the hours of a large stretch one in a thousand may.
    fileprivate var leastToSend: Int { count - count / 1_000 }
}
