/// A test of a quake. A quake that lacks a value never passes a test of that value.
package enum FilterCondition: Hashable, Sendable {
    case atLeast(QuakeProperty, QuakeValue)
    case atMost(QuakeProperty, QuakeValue)
    case less(QuakeProperty, QuakeValue)
    case equal(QuakeProperty, Int64)
    /// The value equals a member of the set, ignoring the case of ASCII letters and treating `_` as a space.
    case among(QuakeProperty, Set<String>)
    /// The value is not missing and equals no member of the set, compared as in `among`.
    case noneOf(QuakeProperty, Set<String>)
    /// The place name contains a member of the set, ignoring case and accents.
    case placeContains(Set<String>)
    /// The place lies in a region of the set.
    case region(Set<String>)
    /// The epicenter lies in at least one of the boxes.
    case boxes([BoundingBox])
    /// The epicenter lies in at least one of the circles.
    case circles([QuakeFilter.Circle])
    case intensity(QuakeFilter.Intensity)

    func holds(for quake: Quake) -> Bool {
        switch self {
        case .atLeast(let property, let bound): quake[property].isOrdered(after: bound, by: (>=), (>=))
        case .atMost(let property, let bound): quake[property].isOrdered(after: bound, by: (<=), (<=))
        case .less(let property, let bound): quake[property].isOrdered(after: bound, by: (<), (<))
        case .equal(let property, let value): quake[property] == .integer(value)
        case .among(let property, let allowed):
            quake[property].textValue.map(TextFolding.foldedWord).map { value in
                allowed.contains { TextFolding.foldedWord($0).utf8.elementsEqual(value.utf8) }
            } ?? false
        case .noneOf(let property, let words):
            quake[property].textValue != nil && !FilterCondition.among(property, words).holds(for: quake)
        case .placeContains(let texts):
            quake.place.map { Array(TextFolding.folded($0).utf8) }.map { place in
                texts.contains { place.contains(Array(TextFolding.folded($0).utf8)) }
            } ?? false
        case .region(let regions):
            !Set(regions.map(TextFolding.folded)).isDisjoint(with: quake.regions.map(TextFolding.folded))
        case .boxes(let boxes): boxes.contains { $0.contains(quake.hypocenter) }
        case .circles(let circles):
            circles.contains { $0.center.distanceKilometers(to: quake.epicenter) <= $0.radiusKilometers }
        case .intensity(let intensity):
            intensity.places.contains { place in
                quake.estimatedIntensity(at: place).map { $0.value >= intensity.minimumIntensity } ?? false
            }
        }
    }

    /// Whether every quake that passes this test also passes `other`; false if this is not certain.
    func implies(_ other: FilterCondition) -> Bool {
        switch (self, other) {
        case (.atLeast(let property, let bound), .atLeast(let its, let least)):
            property == its && bound.isOrdered(after: least, by: (>=), (>=))
        case (.atMost(let property, let bound), .atMost(let its, let most)):
            property == its && bound.isOrdered(after: most, by: (<=), (<=))
        case (.among(let property, let words), .among(let its, let allowed)):
            property == its && words.isSubset(of: allowed)
        case (.noneOf(let property, let words), .noneOf(let its, let excluded)):
            property == its && words.isSuperset(of: excluded)
        case (.boxes(let inner), .boxes(let outer)): inner.allSatisfy { box in outer.contains { $0.includes(box) } }
        case (.circles(let inner), .circles(let outer)): inner.allSatisfy { one in outer.contains { $0.includes(one) } }
        default: self == other
        }
    }
}

extension QuakeFilter.Circle {
    /// Whether every point in the other circle is in this one.
    fileprivate func includes(_ other: QuakeFilter.Circle) -> Bool {
        center.distanceKilometers(to: other.center) + other.radiusKilometers <= radiusKilometers
    }
}

/// Event service queries can contain one box, one circle and no excluded words.
extension FilterCondition {
    /// Whether the event service does not support this condition, although it supports other conditions of the same
    /// kind.
    var isExcludedByService: Bool { if case .noneOf = self { true } else { hasAlternatives } }

    /// Whether the condition has several areas, only one of which must contain the epicenter.
    var hasAlternatives: Bool {
        switch self {
        case .boxes(let boxes): boxes.count > 1
        case .circles(let circles): circles.count > 1
        default: false
        }
    }
}

extension [FilterCondition] {
    /// Whether `quake` passes every test.
    package func hold(for quake: Quake) -> Bool { allSatisfy { $0.holds(for: quake) } }
}

extension QuakeValue {
    /// Whether both values are numbers that satisfy the comparison. Integers are compared exactly.
    fileprivate func isOrdered(
        after other: QuakeValue, by integers: (Int64, Int64) -> Bool, _ reals: (Double, Double) -> Bool
    ) -> Bool {
        if let value = integerValue, let other = other.integerValue { return integers(value, other) }
        guard let value = realValue, let other = other.realValue else { return false }
        return reals(value, other)
    }
}

extension BoundingBox {
    /// Whether `other` lies within this box, edges included.
    fileprivate func includes(_ other: BoundingBox) -> Bool {
        guard south <= other.south, north >= other.north else { return false }
        // For a box that crosses the 180th meridian, the eastern edge counts as more than 180 degrees.
        func end(_ box: BoundingBox) -> Double { box.crossesDateLine ? box.east + 360 : box.east }
        return [0.0, 360].contains { turn in west <= other.west + turn && end(self) >= end(other) + turn }
    }
}

extension [UInt8] {
    /// Whether `part` occurs in these bytes.
    fileprivate func contains(_ part: [UInt8]) -> Bool {
        guard count >= part.count else { return false }
        return (0...(count - part.count)).contains { self[$0...].starts(with: part) }
    }
}
