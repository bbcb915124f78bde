import QuakeModel

extension MapContent {
    /// The meaning of the colors: the chosen one if it applies to this map, otherwise the default one.
    var coloring: MapColoring {
        guard let chosenColoring, availableColorings.contains(chosenColoring) else { return defaultColoring }
        return chosenColoring
    }

    /// The meanings that apply to this map: all, but estimated intensity only if there is a site at which to estimate
    /// it.
    var availableColorings: [MapColoring] {
        MapColoring.allCases.filter { $0 != .intensity || !intensitySites.isEmpty }
    }

    /// Age if the newest quake is at most a week old and the oldest at most 31 days, otherwise depth.
    private var defaultColoring: MapColoring {
        let times = quakes.lazy.map(\.originTime)
        guard let first = times.min(), let last = times.max() else { return .depth }
        return asOf - last < .seconds(7 * 86_400) && asOf - first < .seconds(31 * 86_400) ? .age : .depth
    }

    /// Returns the color class of each of the ``quakes``.
    func colorClasses() -> [ColorScale.Class] {
        let scale = coloring.scale
        return quakes.map { scale.colorClass(of: value($0, of: scale.source)) }
    }

    private func value(_ quake: Quake, of source: ColorScale.Source) -> QuakeValue {
        switch source {
        case .property(let property): quake[property]
        case .age: .real(Double(asOf.milliseconds - quake.originTime.milliseconds) / 3_600_000)
        case .intensity: QuakeValue(intensitySites.compactMap { quake.estimatedIntensity(at: $0.point)?.value }.max())
        }
    }

    /// Returns the title of the legend of colors: `Depth (km)`, `Estimated intensity at Hilo`.
    func legendTitle(of coloring: MapColoring) -> String {
        let scale = coloring.scale
        guard coloring == .intensity else { return scale.isLength ? "\(scale.title) (\(unit))" : scale.title }
        return "\(scale.title) at \(intensitySites.count == 1 ? intensitySites[0].name : "the nearest site")"
    }

    /// Whole magnitudes from the smallest to the largest quake; every second one if there are more than six. Same as in
    /// legend.js.
    var legendMagnitudes: [Double] {
        let magnitudes = quakes.compactMap(\.magnitude)
        guard let least = magnitudes.min(), let most = magnitudes.max() else { return [] }
        let whole = (0...9).map(Double.init).filter { $0 <= most && $0 > least - 1 }
        return whole.count > 6 ? whole.filter { ($0 - most.rounded(.down)).remainder(dividingBy: 2) == 0 } : whole
    }

    /// Returns the classes that occur, with their labels in the map's unit.
    func legend() -> [(label: String, color: ColorScale.Class)] {
        let occurring = Set(colorClasses())
        let scale = coloring.scale
        return scale.classes.filter(occurring.contains).map { one in
            let label = scale.isLength && unit == "mi" ? one.label.convertedToMiles : one.label
            return (label, one)
        }
    }
}

extension String {
    /// This text with its whole numbers converted from kilometers to miles.
    fileprivate var convertedToMiles: String {
        replacing(/\d+/) { match in "\(Int(((Double(match.output) ?? 0) / 1.609344).rounded()))" }
    }
}
