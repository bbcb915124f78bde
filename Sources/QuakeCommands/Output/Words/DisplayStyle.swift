import QuakeModel

/// The style of lengths, times and distances in text for people.
package struct DisplayStyle: Sendable {
    package var unit: LengthUnit
    package var time: LocalTime
    /// The point from which distances and bearings are measured.
    package var reference: ReferencePoint?
    /// Whether the command line specifies the time zone. The environment does not affect output for scripts.
    package var namesTimeZone = false

    /// Creates a style, by default with kilometers and UTC.
    package init(unit: LengthUnit = .km, time: LocalTime = .utc, reference: ReferencePoint? = nil) {
        (self.unit, self.time, self.reference) = (unit, time, reference)
    }

    /// The reference point that machine formats use by default, which must come from the command line.
    package var referenceForPrograms: ReferencePoint? { reference?.isOnCommandLine == true ? reference : nil }

    /// The time zone for dates on the command line that specify none: the zone in `--tz`, otherwise UTC. An environment
    /// variable does not change which quakes a command finds.
    package var zoneOfArguments: LocalTime { namesTimeZone ? time : .utc }

    /// The computed fields that records for programs include by default, because the command line specifies a reference
    /// point or a time zone.
    package var fieldsForPrograms: [QuakeField] {
        (referenceForPrograms == nil ? [] : QuakeField.relative) + (namesTimeZone ? [.localTime] : [])
    }
}

package enum LengthUnit: String, CaseIterable, Sendable {
    case km
    /// Statute miles of 1.609344 km.
    case mi

    package var kilometers: Double {
        switch self {
        case .km: 1
        case .mi: 1.609344
        }
    }

    package func amount(ofKilometers kilometers: Double) -> Double { kilometers / self.kilometers }

    /// Returns a length with at most `decimals` decimals and its unit: `23.4 km`.
    package func length(_ kilometers: Double, decimals: Int = 1) -> String {
        "\(PlainNumber.text(amount(ofKilometers: kilometers), decimals: decimals)) \(rawValue)"
    }

    /// Returns a distance as people say it: `420 m`, `4.2 km`, `42 km`.
    package func distance(_ kilometers: Double) -> String {
        if self == .km, kilometers < 1 { return "\(Int((kilometers * 1000).rounded())) m" }
        let amount = amount(ofKilometers: kilometers)
        guard amount >= 1000 else { return length(kilometers, decimals: amount < 10 ? 1 : 0) }
        return "\(Int(amount.rounded()).grouped) \(rawValue)"
    }
}
