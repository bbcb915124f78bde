import QuakeModel

/// The style of lengths, times and distances in text for people.
struct DisplayStyle: Sendable {
    var unit = LengthUnit.km
    /// The time zone of displayed times, and of dates on the command line that specify none.
    var time = LocalTime.utc
    /// The points from which distances and bearings are measured. The nearest one counts.
    var sites: [Site] = []
    /// Whether the command line specifies the time zone. The environment does not affect output for scripts.
    var namesTimeZone = false

    /// The sites that machine formats use by default, which must come from the command line.
    var sitesForPrograms: [Site] { sites.filter(\.isOnCommandLine) }

    /// The computed fields that records for programs include by default, because the command line specifies a site or a
    /// time zone.
    var fieldsForPrograms: [QuakeField] {
        ((sitesForPrograms.isEmpty ? [] : QuakeField.relative) + (namesTimeZone ? [.localTime] : [])).inColumnOrder
    }
}

enum LengthUnit: String, CaseIterable, Sendable {
    case km
    /// Statute miles of 1.609344 km.
    case mi

    var kilometers: Double { self == .km ? 1 : 1.609344 }

    func amount(ofKilometers kilometers: Double) -> Double { kilometers / self.kilometers }

    /// Returns a length with at most `decimals` decimals and its unit: `23.4 km`.
    func length(_ kilometers: Double, decimals: Int = 1) -> String {
        "\(PlainNumber.text(amount(ofKilometers: kilometers), decimals: decimals)) \(rawValue)"
    }

    /// Returns a distance as people say it: `420 m`, `4.2 km`, `42 km`.
    func distance(_ kilometers: Double) -> String {
        if self == .km, kilometers < 1 { return "\(Int((kilometers * 1000).rounded())) m" }
        let amount = amount(ofKilometers: kilometers)
        guard amount >= 1000 else { return length(kilometers, decimals: amount < 10 ? 1 : 0) }
        return "\(Int(amount.rounded()).grouped) \(rawValue)"
    }
}
