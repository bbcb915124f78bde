package import QuakeModel

/// Writes moments in a time zone, for people.
package struct LocalTime: Sendable {
    /// How the zone was named: `UTC`, `local`, `Europe/Berlin`.
    package let name: String
    private let zone: TimeZoneRules

    /// Coordinated universal time.
    package static let utc = LocalTime(name: "UTC", zone: TimeZoneRules(PosixZone(abbreviation: "UTC", offset: 0)))

    /// A time zone with its rules.
    package init(name: String, zone: TimeZoneRules) {
        self.name = name
        self.zone = zone
    }

    /// Whether this is UTC, the zone that needs no explanation.
    package var isUTC: Bool { name == "UTC" }

    /// The zone above a column: `UTC`, `LOCAL`, `LOS ANGELES`.
    package var title: String {
        let city = name.split(separator: "/").last.map(String.init) ?? name
        return city.replacing("_", with: " ").uppercased()
    }

    /// The moment whose fields in UTC are those that the zone's clocks show at `moment`.
    func shifted(_ moment: Timestamp) -> Timestamp {
        guard Timestamp.representable.contains(moment) else { return moment }
        return Timestamp(milliseconds: moment.milliseconds + Int64(zone.period(at: moment).offset) * 1000)
    }

    /// `2021-07-22 22:39:44 CEST`.
    package func words(_ moment: Timestamp) -> String { "\(secondWords(moment)) \(zone.period(at: moment).abbreviation)" }

    /// `2021-07-22 22:39:44`.
    package func secondWords(_ moment: Timestamp) -> String { shifted(moment).secondWords }

    /// `2021-07-22 22:39`.
    package func minuteWords(_ moment: Timestamp) -> String { shifted(moment).minuteWords }
}
