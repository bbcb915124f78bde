extension QuakeDescriptor {
    /// Throws ``StoreError/outOfRange(_:value:)`` for a negative limit or offset, or if a point of a distance sort key
    /// has a NaN coordinate.
    func requireInRange() throws(StoreError) {
        try StoreError.require("limit", limit, atLeast: 0)
        try StoreError.require("offset", offset, atLeast: 0)
        for key in sortKeys {
            guard case .distance(let points) = key.value else { continue }
            try StoreError.requireNumbers("distance", points.flatMap(\.coordinates))
        }
    }
}

extension HistoryDescriptor {
    /// Throws ``StoreError/outOfRange(_:value:)`` for a negative limit or a NaN in the filter.
    func requireInRange() throws(StoreError) {
        try StoreError.require("limit", limit, atLeast: 0)
        try filter.requireNumbers()
    }
}

extension QuakeFilter {
    /// Throws ``StoreError/outOfRange(_:value:)`` if one of the filter's numbers is NaN. With `finite`, also throws for
    /// an infinite number, except in `intensity`.
    package func requireNumbers(finite: Bool = false) throws(StoreError) {
        let circles = circles.flatMap { [$0.radiusKilometers] + $0.center.coordinates }
        try StoreError.requireNumbers("minimumMagnitude", [minimumMagnitude], finite: finite)
        try StoreError.requireNumbers("maximumMagnitude", [maximumMagnitude], finite: finite)
        try StoreError.requireNumbers("minimumDepthKilometers", [minimumDepthKilometers], finite: finite)
        try StoreError.requireNumbers("maximumDepthKilometers", [maximumDepthKilometers], finite: finite)
        try StoreError.requireNumbers("circles", circles, finite: finite)
        guard let intensity else { return }
        try StoreError.requireNumbers(
            "intensity", [intensity.minimumIntensity] + intensity.places.flatMap(\.coordinates))
    }
}

extension GeographicPoint {
    fileprivate var coordinates: [Double] { [latitude, longitude] }
}
