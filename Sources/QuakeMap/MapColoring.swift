public import QuakeModel

/// The meaning of the quakes' colors on a map.
public enum MapColoring: Hashable, Sendable {
    case depth
    /// The largest shaking intensity expected at these places: see ``/QuakeModel/ExpectedIntensity``.
    case shaking(at: [GeographicPoint])

    func colorClass(of quake: Quake) -> MapScale.ColorClass {
        guard let value = value(of: quake) else { return MapScale.unknown }
        if self == .depth, value == 10 { return MapScale.fixedDepth }
        return classes.last { value >= $0.from } ?? classes[0]
    }

    private func value(of quake: Quake) -> Double? {
        switch self {
        case .depth: quake.hypocenter.depthKilometers
        case .shaking(let places): places.compactMap { quake.expectedIntensity(at: $0)?.value }.max()
        }
    }

    /// The classes, without ``MapScale/unknown``.
    var classes: [MapScale.ColorClass] {
        switch self {
        case .depth: MapScale.depths
        case .shaking: MapScale.intensities
        }
    }

    /// Returns the names of the classes, with the given dash and sign: `<10`, `10–35`, …, `≥500`, in `unit` (`km` or
    /// `mi`); or `I`, `II–III`, …, `IX+`.
    func labels(dash: String, atLeast: String, unit: String) -> [String] {
        guard self == .depth else { return ["I", "II\(dash)III", "IV", "V", "VI", "VII", "VIII", "IX+"] }
        let limits = classes.dropFirst().map { Int(($0.from / (unit == "mi" ? 1.609344 : 1)).rounded()) }
        return classes.indices.map { index in
            guard index > 0 else { return "<\(limits[0])" }
            guard index < limits.count else { return "\(atLeast)\(limits[index - 1])" }
            return "\(limits[index - 1])\(dash)\(limits[index])"
        }
    }

    /// Returns the legend for a map of `quakes`: the classes with their names, and the classes for fixed depths and
    /// unknown values if any quakes have them.
    func legend(
        of quakes: [Quake], dash: String = "–", atLeast: String = "≥", unit: String
    ) -> [(label: String, color: MapScale.ColorClass)] {
        let colors = Set(quakes.map { colorClass(of: $0).colors.light })
        let fixed = (label: "\(unit == "mi" ? 6 : 10) (fixed)", color: MapScale.fixedDepth)
        let others = [fixed, (label: "unknown", color: MapScale.unknown)]
        return zip(labels(dash: dash, atLeast: atLeast, unit: unit), classes).map { (label: $0, color: $1) }
            + others.filter { colors.contains($0.color.colors.light) }
    }

    func title(unit: String) -> String { self == .depth ? "Depth (\(unit))" : "Expected" }
    func shortTitle(unit: String) -> String { self == .depth ? "\(unit)  " : "expected" }
}
