/// Which quakes to fetch, in which order, and how many.
public struct QuakeDescriptor: Hashable, Sendable, Codable {
    /// Which quakes.
    public var filter: QuakeFilter
    /// In which order: by the first key, where that is equal by the second, and so on, and last by id.
    public var sort: [QuakeSortKey]
    /// The most quakes to fetch; nil for all.
    public var limit: Int?
    /// How many to skip first.
    public var offset: Int
    /// Whether changes that are not saved yet are seen: filtered, sorted and counted as they will be saved. A quake
    /// that will be new has a key of its own until then: see ``StoredQuake/isTemporary``.
    public var includesPending: Bool

    /// A descriptor; without arguments, every quake, the newest first.
    public init(
        filter: QuakeFilter = QuakeFilter(), sort: QuakeSort = .time, order: QuakeSortKey.Order? = nil,
        limit: Int? = nil, offset: Int = 0, includesPending: Bool = false
    ) {
        self.init(
            filter: filter, sortedBy: [QuakeSortKey(sort, order: order)], limit: limit, offset: offset,
            includesPending: includesPending)
    }

    /// A descriptor with several sort keys.
    public init(
        filter: QuakeFilter = QuakeFilter(), sortedBy sort: [QuakeSortKey], limit: Int? = nil, offset: Int = 0,
        includesPending: Bool = false
    ) {
        (self.filter, self.sort, self.limit) = (filter, sort, limit)
        (self.offset, self.includesPending) = (offset, includesPending)
    }
}

/// What quakes are sorted by, and in which order.
public struct QuakeSortKey: Hashable, Sendable, Codable {
    /// What is compared.
    public var value: QuakeSort
    /// In which order.
    public var order: Order

    /// A key; without an order, the nearest first, or the newest, largest or deepest.
    public init(_ value: QuakeSort, order: Order? = nil) {
        self.value = value
        self.order = order ?? value.usualOrder
    }

    /// The order of what is compared. Missing values come last in both.
    public enum Order: String, Hashable, Sendable, Codable {
        /// Oldest, smallest, shallowest or nearest first.
        case forward
        /// Newest, largest, deepest or farthest first.
        case reverse

        /// The other one.
        package var opposite: Order { self == .forward ? .reverse : .forward }
    }
}

/// What quakes are sorted by. Ties are broken by id, missing values come last.
public enum QuakeSort: Hashable, Sendable, Codable {
    /// The origin time.
    case time
    /// The magnitude.
    case magnitude
    /// The depth.
    case depth
    /// The distance from the point.
    case distance(from: GeographicPoint)
    /// When the quake was last updated.
    case updated
    /// The number of felt reports.
    case feltReports
    /// The significance.
    case significance

    /// The nearest first, and by any other value the newest, largest, deepest or most.
    package var usualOrder: QuakeSortKey.Order {
        switch self {
        case .time, .magnitude, .depth, .updated, .feltReports, .significance: .reverse
        case .distance: .forward
        }
    }
}

// MARK: Order

extension QuakeDescriptor {
    /// Whether `first` comes before `second`. The same order as the store's query gives.
    public func isOrdered(_ first: Quake, before second: Quake) -> Bool {
        for key in sort {
            switch key.comparison(first, second) {
            case .before: return true
            case .equal: continue
            case .after: return false
            }
        }
        return first.id.utf8.lexicographicallyPrecedes(second.id.utf8)
    }
}

extension QuakeSortKey {
    fileprivate enum Comparison {
        case before, equal, after
    }

    fileprivate func comparison(_ first: Quake, _ second: Quake) -> Comparison {
        switch value {
        case .time: compare(first.originTime, second.originTime)
        case .updated: compare(first.updated, second.updated)
        case .magnitude: compare(first.magnitude, second.magnitude)
        case .feltReports: compare(first.feltReports, second.feltReports)
        case .significance: compare(first.significance, second.significance)
        case .depth: compare(first.hypocenter.depthKilometers, second.hypocenter.depthKilometers)
        case .distance(let point):
            compare(first.epicenter.distanceKilometers(to: point), second.epicenter.distanceKilometers(to: point))
        }
    }

    private func compare<Value: Comparable>(_ first: Value?, _ second: Value?) -> Comparison {
        switch (first, second) {
        case (nil, nil): return .equal
        case (nil, _): return .after
        case (_, nil): return .before
        case (let first?, let second?):
            if first == second { return .equal }
            return (first < second) == (order == .forward) ? .before : .after
        }
    }
}
