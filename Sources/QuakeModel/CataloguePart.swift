/// A part of the USGS catalogue that a cache holds: every quake of these origin times that the filter accepts.
public struct CataloguePart: Hashable, Sendable, Codable {
    /// Magnitude, depth, region and type, the conditions that the event service knows. Its times are not set.
    public var filter: QuakeFilter
    /// The origin times.
    public var originTimes: Range<Timestamp>
    /// The cache has every change of the part that the service published before this moment.
    public var asOf: Timestamp
    /// Whether the part was asked for without an end, so that an update extends it to the present.
    public var isOpenEnded: Bool

    /// A part.
    public init(filter: QuakeFilter, originTimes: Range<Timestamp>, asOf: Timestamp, isOpenEnded: Bool) {
        self.filter = filter
        self.originTimes = originTimes
        self.asOf = asOf
        self.isOpenEnded = isOpenEnded
    }

    /// Whether updates extend the part, and it reaches to within two days of its last update. One that was interrupted
    /// before does not.
    package var reachesPresent: Bool { isOpenEnded && originTimes.upperBound >= asOf - .seconds(2 * 86_400) }

    /// Whether `quake` belongs to the part.
    public func contains(_ quake: Quake) -> Bool {
        originTimes.contains(quake.originTime) && filter.accepts(quake)
    }
}

extension QuakeFilter {
    /// The filter without its times.
    package var withoutTimes: QuakeFilter {
        var filter = self
        filter.since = nil
        filter.until = nil
        return filter
    }

    /// The filter without its magnitudes.
    package var withoutMagnitudes: QuakeFilter {
        var filter = self
        filter.minimumMagnitude = nil
        filter.maximumMagnitude = nil
        return filter
    }

    /// Whether every quake that `other` accepts satisfies this filter too, as far as magnitude, depth, region and type
    /// tell. False when in doubt. For filters of ``CataloguePart``.
    package func includes(_ other: QuakeFilter) -> Bool {
        isAtMost(minimumMagnitude, other.minimumMagnitude) && isAtLeast(maximumMagnitude, other.maximumMagnitude)
            && isAtMost(minimumDepthKilometers, other.minimumDepthKilometers)
            && isAtLeast(maximumDepthKilometers, other.maximumDepthKilometers)
            && includesRegion(of: other)
            && (eventTypes.isEmpty || (!other.eventTypes.isEmpty && eventTypes.isSuperset(of: other.eventTypes)))
    }

    private func isAtMost(_ bound: Double?, _ other: Double?) -> Bool {
        guard let bound else { return true }
        return other.map { bound <= $0 } ?? false
    }

    private func isAtLeast(_ bound: Double?, _ other: Double?) -> Bool {
        guard let bound else { return true }
        return other.map { bound >= $0 } ?? false
    }

    private func includesRegion(of other: QuakeFilter) -> Bool {
        if let circle, circle != other.circle { return false }
        guard let boundingBox else { return true }
        return other.boundingBox.map(boundingBox.includes) ?? false
    }
}

extension BoundingBox {
    /// Whether `other` lies inside, edges included.
    fileprivate func includes(_ other: BoundingBox) -> Bool {
        guard south <= other.south, north >= other.north else { return false }
        // A box over the 180th meridian ends beyond it.
        func end(_ box: BoundingBox) -> Double { box.crossesDateLine ? box.east + 360 : box.east }
        return [0.0, 360].contains { turn in west <= other.west + turn && end(self) >= end(other) + turn }
    }
}
