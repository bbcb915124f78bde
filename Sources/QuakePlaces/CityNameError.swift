public import FoundationEssentials

/// The reason a name does not resolve to a single city.
public enum CityNameError: Error, Equatable, Sendable {
    /// No city has this name. `similar` contains up to three cities with the most similar names.
    case unknown(similar: [City])
    /// Several cities have this name, and the largest is not much larger than the next. The largest city comes first.
    case ambiguous([City])
    /// Cities with this name exist only outside the given country or state. The largest city comes first.
    case elsewhere([City])
}

extension CityNameError: LocalizedError {
    /// A description of the problem and of the cities that may be meant.
    public var errorDescription: String? {
        switch self {
        case .unknown(let similar) where similar.isEmpty: "No city with a population of 15,000 or more has this name."
        case .unknown(let similar):
            "No city with a population of 15,000 or more has this name. Similar names: \(Self.list(similar))."
        case .ambiguous(let cities): "Several cities have this name: \(Self.list(cities))."
        case .elsewhere(let cities): "There is no city with this name there, only elsewhere: \(Self.list(cities))."
        }
    }

    private static func list(_ cities: [City]) -> String {
        cities.prefix(3).map(\.description).joined(separator: "; ")
    }
}
