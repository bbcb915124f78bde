/// Counts the features of a window's response as the event service does: each id once, whether its feature can be read
/// or not.
struct WindowCount {
    let query: CatalogQuery
    /// The uncertainties of the response; nil if they were not requested.
    private let uncertainties: UncertaintyRows?
    /// The number of features that match the request.
    private(set) var features = 0
    /// The number of quakes among these features that happened after the window. Adjacent windows share one second,
    /// whose quakes count toward the later window.
    private(set) var afterWindow = 0
    /// The number of quakes within the window for which the service sent no current uncertainties.
    private(set) var withoutUncertainties = 0
    private var ids: Set<String> = []
    private let requested: [FilterCondition]

    init(_ query: CatalogQuery, _ uncertainties: UncertaintyRows? = nil) {
        self.query = query
        self.uncertainties = uncertainties
        requested = query.requestedConditions
    }

    /// Counts `quake` if it was requested, and returns whether it was. The service does not count deleted quakes.
    mutating func add(_ quake: Quake) -> Bool {
        guard quake.status?.lowercased() != "deleted", asksFor(quake) else { return false }
        guard ids.insert(quake.id.lowercased()).inserted else { return true }
        features += 1
        if quake.originTime >= query.originTimes.upperBound {
            afterWindow += 1
        } else if uncertainties?.lacksUncertainties(of: quake) ?? false {
            withoutUncertainties += 1
        }
        return true
    }

    /// Counts an unreadable feature as requested. A feature without an id is not counted, because the service cannot be
    /// asked about it.
    mutating func addUnreadable(id: String?) {
        if let id, !id.isEmpty, ids.insert(id.lowercased()).inserted { features += 1 }
    }

    /// Returns whether the response may list `quake`.
    private func asksFor(_ quake: Quake) -> Bool {
        requested.hold(for: quake) && query.updatedAfter.map { quake.updated >= $0 - .seconds(1) } ?? true
    }
}

extension CatalogQuery {
    /// The conditions of every quake that a response may list. The requested circle is slightly larger than the
    /// filter's, and times are requested in whole seconds.
    fileprivate var requestedConditions: [FilterCondition] {
        var requested = filter
        for index in requested.circles.indices { requested.circles[index].radiusKilometers *= 1.02 }
        requested.since = originTimes.lowerBound - .seconds(1)
        requested.until = originTimes.upperBound + .seconds(2)
        return requested.conditions
    }
}
