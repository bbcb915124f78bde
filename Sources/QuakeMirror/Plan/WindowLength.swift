/// The length of the time range that the next request to the event service covers.
///
/// A response may contain 20,000 quakes. A swarm may have ten thousand quakes in an hour, but the whole 18th century
/// has fifteen. The length adapts to the density of the last response, growing at most fourfold. A rejected window is
/// halved, and later windows do not extend past the end of the rejected window until that end has been reached.
struct WindowLength {
    /// The target size of a response, as a fraction of the maximum; low enough that few windows are rejected.
    private static let targetShare = 0.8
    /// The maximum number of quakes in a response of a service that does not report its limit.
    private static let usualLimit = 20_000

    private(set) var milliseconds: Double
    /// The end of a rejected window. A window with the same start must end earlier.
    private var rejectedEnd: Timestamp?
    private let target: Double
    /// The maximum number of quakes in a response. A window with more quakes is halved before it is requested.
    let maximumResponse: Int
    /// The maximum number of times a window is halved. A swarm is a thousand times as dense as an average day.
    static let maximumHalvings = 12

    /// Creates the first length, assuming that the counted quakes are evenly distributed over `originTimes`.
    init(_ originTimes: Range<Timestamp>, _ count: CatalogCount) {
        let whole = Double(originTimes.upperBound.milliseconds - originTimes.lowerBound.milliseconds)
        target = Self.target(count)
        maximumResponse = count.maxAllowed ?? Self.usualLimit
        milliseconds = Double(count.count) > target ? whole * target / Double(count.count) : whole
    }

    /// Returns the expected number of requests for the counted quakes, if few windows are rejected.
    static func requests(_ count: CatalogCount) -> Int {
        max(1, Int((Double(count.count) / target(count)).rounded(.up)))
    }

    private static func target(_ count: CatalogCount) -> Double {
        max(1, Double(min(count.maxAllowed ?? usualLimit, usualLimit)) * targetShare)
    }

    /// Returns the window at the start of `originTimes`. It ends on a whole second, like the service's counts.
    func window(startOf originTimes: Range<Timestamp>) -> Range<Timestamp> {
        let start = originTimes.lowerBound
        var whole = originTimes
        if let rejectedEnd, start < rejectedEnd { whole = start..<min(rejectedEnd, originTimes.upperBound) }
        let left = Double(whole.upperBound.milliseconds - start.milliseconds)
        // A short remainder is not worth a separate request.
        guard milliseconds * 1.1 < left else { return whole }
        let end = (start + .milliseconds(Int64(max(1, milliseconds.rounded())))).nextWholeSecond
        return start..<min(end, whole.upperBound)
    }

    mutating func learn(_ window: Range<Timestamp>, quakes: Int) {
        let length = Double(window.upperBound.milliseconds - window.lowerBound.milliseconds)
        milliseconds = length * min(4, target / Double(quakes))
    }

    /// Halves the length after `window` was rejected. Returns false if the window cannot become shorter.
    mutating func halve(_ window: Range<Timestamp>) -> Bool {
        guard Self.halves(of: window) != nil else { return false }
        rejectedEnd = window.upperBound
        milliseconds = Double(window.upperBound.milliseconds - window.lowerBound.milliseconds) / 2
        return true
    }

    /// Returns both halves of `window`, the first ending on a whole second; nil if the window cannot become shorter.
    static func halves(of window: Range<Timestamp>) -> [Range<Timestamp>]? {
        let half = Double(window.upperBound.milliseconds - window.lowerBound.milliseconds) / 2
        let middle = (window.lowerBound + .milliseconds(Int64(half.rounded()))).nextWholeSecond
        return middle < window.upperBound ? [window.lowerBound..<middle, middle..<window.upperBound] : nil
    }
}
