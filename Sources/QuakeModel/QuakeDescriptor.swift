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
        filter: QuakeFilter = QuakeFilter(), sort: QuakeSort = .time, isReversed: Bool = false, limit: Int? = nil,
        offset: Int = 0, includesPending: Bool = false
    ) {
        self.init(
            filter: filter, sortedBy: [QuakeSortKey(sort, isReversed: isReversed)], limit: limit, offset: offset,
            includesPending: includesPending)
    }

    /// A descriptor with several sort keys.
    public init(
        filter: QuakeFilter = QuakeFilter(), sortedBy sort: [QuakeSortKey], limit: Int? = nil, offset: Int = 0,
        includesPending: Bool = false
    ) {
        self.filter = filter
        self.sort = sort
        self.limit = limit
        self.offset = offset
        self.includesPending = includesPending
    }
}

/// One key of an order, forwards or backwards.
public struct QuakeSortKey: Hashable, Sendable, Codable {
    /// What is compared.
    public var value: QuakeSort
    /// Whether the order is reversed: oldest, smallest, shallowest, farthest first. Missing values come last all the
    /// same.
    public var isReversed: Bool

    /// A key.
    public init(_ value: QuakeSort, isReversed: Bool = false) {
        self.value = value
        self.isReversed = isReversed
    }
}

/// An order of quakes. Ties are broken by id, missing values come last.
public enum QuakeSort: Hashable, Sendable, Codable {
    /// Newest first.
    case time
    /// Largest first.
    case magnitude
    /// Deepest first.
    case depth
    /// Nearest to the point first.
    case distance(from: GeographicPoint)
    /// Most recently updated first.
    case updated
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
        case .time: compare(first.originTime, second.originTime, largestFirst: !isReversed)
        case .updated: compare(first.updated, second.updated, largestFirst: !isReversed)
        case .magnitude: compare(first.magnitude, second.magnitude, largestFirst: !isReversed)
        case .depth:
            compare(first.hypocenter.depthKilometers, second.hypocenter.depthKilometers, largestFirst: !isReversed)
        case .distance(let point):
            compare(
                first.epicenter.distanceKilometers(to: point), second.epicenter.distanceKilometers(to: point),
                largestFirst: isReversed)
        }
    }

    private func compare<Value: Comparable>(_ first: Value?, _ second: Value?, largestFirst: Bool) -> Comparison {
        switch (first, second) {
        case (nil, nil): return .equal
        case (nil, _): return .after
        case (_, nil): return .before
        case (let first?, let second?):
            if first == second { return .equal }
            return (first > second) == largestFirst ? .before : .after
        }
    }
}
