public import QuakeModel

/// What the color of a quake on a map stands for.
public enum MapColoring: Hashable, Sendable {
    case depth
    /// The intensity to expect at this place: see ``/QuakeModel/ExpectedIntensity``.
    case shaking(at: GeographicPoint)

    func colorClass(of quake: Quake) -> MapScale.ColorClass {
        guard let value = value(of: quake) else { return MapScale.unknown }
        return classes.last { value >= $0.from } ?? classes[0]
    }

    private func value(of quake: Quake) -> Double? {
        switch self {
        case .depth: quake.hypocenter.depthKilometers
        case .shaking(let place): quake.expectedIntensity(at: place)?.value
        }
    }

    /// The classes, without that of ``MapScale/unknown``.
    var classes: [MapScale.ColorClass] {
        switch self {
        case .depth: MapScale.depths
        case .shaking: MapScale.intensities
        }
    }

    /// The names of the classes, with the given dash and sign: `<10`, `10–35`, …, `≥500` of `unit` (`km`, `mi`); `I`,
    /// `II–III`, …, `IX+`.
    func labels(dash: String, atLeast: String, unit: String) -> [String] {
        guard self == .depth else { return ["I", "II\(dash)III", "IV", "V", "VI", "VII", "VIII", "IX+"] }
        let limits = classes.dropFirst().map { Int(($0.from / (unit == "mi" ? 1.609344 : 1)).rounded()) }
        return classes.indices.map { index in
            guard index > 0 else { return "<\(limits[0])" }
            guard index < limits.count else { return "\(atLeast)\(limits[index - 1])" }
            return "\(limits[index - 1])\(dash)\(limits[index])"
        }
    }

    /// Whether `quake` has no value, so that the legend names that class.
    func isUnknown(_ quake: Quake) -> Bool { value(of: quake) == nil }

    /// What stands before the classes in a legend.
    func title(unit: String) -> String { self == .depth ? "Depth (\(unit))" : "Expected" }
    /// The same in a few characters.
    func shortTitle(unit: String) -> String { self == .depth ? "\(unit)  " : "expected" }
}
