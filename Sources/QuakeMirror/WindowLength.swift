/// How much origin time the next question to the event service covers.
///
/// An answer may have 20,000 quakes, and a swarm has ten thousand in an hour, the 18th century fifteen. The length
/// follows the density of the last answer, at most four times as long as before; a window that is refused is halved,
/// and no window goes beyond it until its end is reached.
struct WindowLength {
    /// The part of the largest answer to aim at: enough below it that few windows are refused.
    private static let share = 0.8
    /// The largest answer of a service that does not say so.
    private static let usualLimit = 20_000

    private(set) var milliseconds: Double
    /// The end of a window that was refused: it is known to be too far from where that one began.
    private var refusedEnd: Timestamp?
    private let aim: Double
    /// The largest answer that the service gives: one that has as many may lack some.
    let most: Int
    /// How often a window is halved at most. A swarm has a thousand times as many quakes as the days around it.
    static let mostHalvings = 12

    /// The first length for the quakes of `count` in `originTimes`, as if they were spread evenly.
    init(_ originTimes: Range<Timestamp>, _ count: CatalogCount) {
        let whole = Double(originTimes.upperBound.milliseconds - originTimes.lowerBound.milliseconds)
        aim = Self.aim(count)
        most = count.maxAllowed ?? Self.usualLimit
        milliseconds = Double(count.count) > aim ? whole * aim / Double(count.count) : whole
    }

    /// How many requests the quakes of `count` take, if few windows are refused.
    static func requests(_ count: CatalogCount) -> Int {
        max(1, Int((Double(count.count) / aim(count)).rounded(.up)))
    }

    private static func aim(_ count: CatalogCount) -> Double {
        max(1, Double(min(count.maxAllowed ?? usualLimit, usualLimit)) * share)
    }

    /// The window that starts `originTimes`. It ends with a whole second, as the service counts.
    func window(startOf originTimes: Range<Timestamp>) -> Range<Timestamp> {
        let start = originTimes.lowerBound
        var whole = originTimes
        if let refusedEnd, start < refusedEnd { whole = start..<min(refusedEnd, originTimes.upperBound) }
        let left = Double(whole.upperBound.milliseconds - start.milliseconds)
        // A short rest is not worth a question of its own.
        guard milliseconds * 1.1 < left else { return whole }
        let end = (start + .milliseconds(Int64(max(1, milliseconds.rounded())))).nextWholeSecond
        return start..<min(end, whole.upperBound)
    }

    mutating func learn(_ window: Range<Timestamp>, quakes: Int) {
        let length = Double(window.upperBound.milliseconds - window.lowerBound.milliseconds)
        milliseconds = length * min(4, aim / Double(max(quakes, 1)))
    }

    /// Halves the length after `window` was refused; false when it cannot become shorter.
    mutating func halve(_ window: Range<Timestamp>) -> Bool {
        guard Self.halves(of: window) != nil else { return false }
        refusedEnd = window.upperBound
        milliseconds = Double(window.upperBound.milliseconds - window.lowerBound.milliseconds) / 2
        return true
    }

    /// Both halves of `window`; nil when it cannot become shorter. The first ends with a whole second too.
    static func halves(of window: Range<Timestamp>) -> [Range<Timestamp>]? {
        let half = Double(window.upperBound.milliseconds - window.lowerBound.milliseconds) / 2
        let middle = (window.lowerBound + .milliseconds(Int64(half.rounded()))).nextWholeSecond
        return middle < window.upperBound ? [window.lowerBound..<middle, middle..<window.upperBound] : nil
    }
}

/// One stretch while it is asked for: which window is next, and how long it is.
struct RangeFetch {
    let stretch: CatalogRange
    /// How often a stretch was halved to get here, because too little came.
    let halvings: Int
    /// What the service counted in the stretch; nil until it was asked.
    var whole: CatalogCount? { didSet { length = whole.map { WindowLength(rest, $0) } ?? length } }
    private var rest: Range<Timestamp>
    private var length: WindowLength
    private var refusals: [FeedError] = []

    init(of stretch: CatalogRange, _ whole: CatalogCount? = nil, halvings: Int = 0) {
        (self.stretch, self.whole, self.halvings) = (stretch, whole, halvings)
        rest = stretch.originTimes
        length = WindowLength(rest, whole ?? CatalogCount(count: 0))
    }

    var isFinished: Bool { rest.isEmpty }
    var nextWindow: CatalogRange { stretch.in(length.window(startOf: rest)) }

    /// What the service counted in `window`, where that is known: in the only one of the stretch.
    func count(of window: CatalogRange) -> CatalogCount? { window == stretch ? whole : nil }

    /// Halves the next window if it has more quakes than the service sends at once. Returns whether it was halved.
    mutating func halve(_ window: CatalogRange, having counted: CatalogCount) -> Bool {
        counted.count > length.most && length.halve(window.originTimes)
    }

    /// Halves the window that comes next after the service refused it. Returns how often it did so in a row.
    ///
    /// - Throws: the first refusal, or this one, where halves are of no use.
    mutating func refuse(_ window: CatalogRange, because error: FeedError) throws -> Int {
        refusals.append(error)
        guard refusals.count <= error.mostHalvings else { throw refusals[0] }
        // A window that cannot be halved is reported as it was requested.
        guard length.halve(window.originTimes) else { throw error }
        return refusals.count
    }

    mutating func pass(_ window: CatalogRange, features: Int) {
        length.learn(window.originTimes, quakes: features)
        rest = window.originTimes.upperBound..<rest.upperBound
        refusals = []
    }
}
