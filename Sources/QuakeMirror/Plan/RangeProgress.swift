/// The progress through a requested range: the position and length of the next window.
struct RangeProgress {
    let range: RequestedRange
    /// The number of times that the range was halved because a response differed from the count.
    let halvings: Int
    /// The service's count for the whole range; nil until requested.
    var totalCount: CatalogCount? { didSet { length = totalCount.map { WindowLength(rest, $0) } ?? length } }
    private var rest: Range<Timestamp>
    private var length: WindowLength
    private var rejections: [FeedError] = []

    init(of range: RequestedRange, _ whole: CatalogCount? = nil, halvings: Int = 0) {
        self.range = range
        self.totalCount = whole
        self.halvings = halvings
        rest = range.originTimes
        length = WindowLength(rest, whole ?? CatalogCount(count: 0))
    }

    var isFinished: Bool { rest.isEmpty }
    var nextWindow: RequestedRange { range.window(length.window(startOf: rest)) }

    /// Returns the service's count for `window` if the window is the whole range and has been counted; otherwise nil.
    func count(of window: RequestedRange) -> CatalogCount? { window == range ? totalCount : nil }

    /// Halves the next window, `window`, if it has more quakes than the service sends in one response. Returns whether
    /// it was halved.
    mutating func halve(_ window: RequestedRange, having counted: CatalogCount) -> Bool {
        counted.count > length.maximumResponse && length.halve(window.originTimes)
    }

    /// Records that the service rejected `window`, and halves the next window. Returns the number of rejections in a
    /// row.
    ///
    /// - Throws: the first of the rejections in a row if there were too many, or `error` if the window cannot be
    ///   halved.
    mutating func recordRejection(of window: RequestedRange, because error: FeedError) throws -> Int {
        rejections.append(error)
        guard rejections.count <= error.maximumHalvings else { throw rejections[0] }
        guard length.halve(window.originTimes) else { throw error }
        return rejections.count
    }

    mutating func finish(_ window: RequestedRange, features: Int) {
        length.learn(window.originTimes, quakes: features)
        rest = window.originTimes.upperBound..<rest.upperBound
        rejections = []
    }
}
