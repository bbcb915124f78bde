import QuakeModel

/// How text for people writes lengths, times and distances.
package struct DisplayStyle: Sendable {
    package var unit: LengthUnit
    package var time: LocalTime
    /// Where distances and bearings are measured from.
    package var reference: ReferencePoint?
    /// Whether the command line names the time zone. A variable does not change what scripts read.
    package var namesTimeZone = false

    /// A style; without arguments, kilometers and UTC.
    package init(unit: LengthUnit = .km, time: LocalTime = .utc, reference: ReferencePoint? = nil) {
        (self.unit, self.time, self.reference) = (unit, time, reference)
    }

    /// The point from which machine formats measure without being asked for: one that the command line names.
    package var referenceForPrograms: ReferencePoint? { reference?.isOnCommandLine == true ? reference : nil }

    /// The zone of dates without one on the command line: the one that it names, otherwise UTC. A variable does not
    /// change which quakes a command finds.
    package var zoneOfArguments: LocalTime { namesTimeZone ? time : .utc }

    /// The computed fields that records for programs have without being asked for, because the command line names a
    /// point or a zone.
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

    /// A length with at most `decimals` decimals and its unit: `23.4 km`.
    package func length(_ kilometers: Double, decimals: Int = 1) -> String {
        "\(PlainNumber.text(amount(ofKilometers: kilometers), decimals: decimals)) \(rawValue)"
    }

    /// A distance as people say it: `420 m`, `4.2 km`, `42 km`.
    package func distance(_ kilometers: Double) -> String {
        if self == .km, kilometers < 1 { return "\(Int((kilometers * 1000).rounded())) m" }
        let amount = amount(ofKilometers: kilometers)
        guard amount >= 1000 else { return length(kilometers, decimals: amount < 10 ? 1 : 0) }
        return "\(Int(amount.rounded()).grouped) \(rawValue)"
    }
}
