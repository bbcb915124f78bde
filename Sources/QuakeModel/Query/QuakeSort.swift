/// A value to sort quakes by. Ties are broken by id; missing values come last.
public enum QuakeSort: Hashable, Sendable, Codable {
    case time
    case magnitude
    case depth
    /// The distance from the nearest of the points.
    case distance(from: [GeographicPoint])
    /// The time of the last update.
    case updated
    case feltReports
    case significance

    /// The default order: forward for distance, reverse for all other values.
    package var usualOrder: QuakeSortKey.Order { if case .distance = self { .forward } else { .reverse } }
}
