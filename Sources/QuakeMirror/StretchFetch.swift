import QuakeFeed
import QuakeModel

/// One stretch while it is asked for: which window is next, and how long it is.
struct StretchFetch {
    let stretch: CatalogStretch
    /// How often a stretch was halved to get here, because too little came.
    let halvings: Int
    /// What the service counted in the stretch; nil until it was asked.
    var whole: CatalogCount? { didSet { length = whole.map { WindowLength(rest, $0) } ?? length } }
    private var rest: Range<Timestamp>
    private var length: WindowLength
    private var refusals: [FeedError] = []

    init(of stretch: CatalogStretch, _ whole: CatalogCount? = nil, halvings: Int = 0) {
        (self.stretch, self.whole, self.halvings) = (stretch, whole, halvings)
        rest = stretch.originTimes
        length = WindowLength(rest, whole ?? CatalogCount(count: 0))
    }

    /// Whether all windows have come.
    var isFinished: Bool { rest.isEmpty }

    /// The next window to ask for.
    var nextWindow: CatalogStretch { stretch.in(length.window(startOf: rest)) }

    /// What the service counted in `window`, where that is known: in the only one of the stretch.
    func count(of window: CatalogStretch) -> CatalogCount? { window == stretch ? whole : nil }

    /// Halves the window that comes next where it has more quakes than the service sends at once. False where it need
    /// not or cannot become shorter.
    mutating func halve(_ window: CatalogStretch, having counted: CatalogCount) -> Bool {
        counted.count > length.most && length.halve(window.originTimes)
    }

    /// Halves the window that comes next after the service refused it. Returns how often it did so in a row.
    ///
    /// - Throws: the first refusal, or this one, where halves are of no use.
    mutating func refuse(_ window: CatalogStretch, because error: FeedError) throws -> Int {
        refusals.append(error)
        guard refusals.count <= error.mostHalvings else { throw refusals[0] }
        // A window that cannot be halved is reported as it was requested.
        guard length.halve(window.originTimes) else { throw error }
        return refusals.count
    }

    /// Goes on behind `window`, which had that many features.
    mutating func pass(_ window: CatalogStretch, features: Int) {
        length.learn(window.originTimes, quakes: features)
        rest = window.originTimes.upperBound..<rest.upperBound
        refusals = []
    }
}
