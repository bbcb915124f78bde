import Glibc
import QuakeModel

/// Formats times for people, in UTC or in the time zone of this process (tzset(3)), of which there can be only one.
struct DisplayTimeZone: Sendable {
    /// The name of the zone, as given: `UTC`, `local`, `America/Denver`, `+09:00`.
    let name: String

    static let utc = DisplayTimeZone(name: "UTC")

    /// Returns the time zone of this process: the zone in the variable `TZ`, otherwise the machine's zone.
    static func ofProcess(named name: String = "local") -> DisplayTimeZone {
        tzset()
        return DisplayTimeZone(name: name)
    }

    /// Sets the time zone of this process to the file `name` in the time zone database. Returns nil if the C library
    /// cannot read the file. Call this before other threads exist, because it sets an environment variable.
    static func inFile(_ name: String) -> DisplayTimeZone? {
        // The prefix keeps glibc from parsing the name as a POSIX rule such as EST5EDT. If the file cannot be read, the
        // zone has no abbreviation.
        setenv("TZ", ":./\(name)", 1)
        let zone = ofProcess(named: name)
        return zone.clock(at: Timestamp(milliseconds: 0)).abbreviation.isEmpty ? nil : zone
    }

    /// Sets the time zone of this process to `offset` from UTC, such as `+09:00`. Returns nil if `offset` is not valid.
    static func atOffset(_ offset: String) -> DisplayTimeZone? {
        guard let parts = offset.wholeMatch(of: /([+-])((?:[01][0-9]|2[0-3]):[0-5][0-9])/)?.output else { return nil }
        // In TZ, the sign is reversed: the offset is added to local time to get UTC.
        setenv("TZ", "<\(offset.replacing(":", with: ""))>\(parts.1 == "+" ? "-" : "+")\(parts.2)", 1)
        return ofProcess(named: offset)
    }

    /// Whether this is UTC, the zone that needs no explanation.
    var isUTC: Bool { name == "UTC" }

    /// The zone as written after a date and time: `UTC`, `local time`, `America/Denver`.
    var nameInWords: String { name == "local" ? "local time" : name }

    /// The zone as written above a column: `UTC`, `LOCAL`, `LOS ANGELES`.
    var title: String {
        let city = name.split(separator: "/").last.map(String.init) ?? name
        return city.replacing("_", with: " ").uppercased()
    }

    /// Returns `moment` as local time: a timestamp whose UTC fields match the zone's clocks.
    func shifted(_ moment: Timestamp) -> Timestamp {
        guard Timestamp.representable.contains(moment) else { return moment }
        return Timestamp(milliseconds: moment.milliseconds + clock(at: moment).offset * 1000)
    }

    /// Returns the moment at which the zone's clocks show the time that `fields` has in UTC. For a time that occurs
    /// twice, returns the first; for a time that the clocks skip, returns the moment of the change.
    func moment(showing fields: Timestamp) -> Timestamp {
        guard Timestamp.representable.contains(fields) else { return fields }
        let day = Duration.seconds(86_400)
        let offsets = [clock(at: fields - day).offset, clock(at: fields + day).offset]
        let moments = offsets.map { Timestamp(milliseconds: fields.milliseconds - $0 * 1000) }
        let earlier = min(moments[0], moments[1])
        let later = max(moments[0], moments[1])
        if shifted(earlier) == fields { return earlier }
        if shifted(later) == fields { return later }
        // The clocks skip this time, so the clock change lies between `earlier` and `later`.
        var before = earlier.milliseconds
        var after = later.milliseconds
        let offset = clock(at: earlier).offset
        while after - before > 1000 {
            let middle = before + (after - before) / 2
            if clock(at: Timestamp(milliseconds: middle)).offset == offset { before = middle } else { after = middle }
        }
        return Timestamp(milliseconds: after / 1000 * 1000)
    }

    /// `2021-07-22 22:39:44 CEST`.
    func words(_ moment: Timestamp) -> String { "\(secondWords(moment)) \(abbreviation(at: moment))" }

    /// `2021-07-22 22:39:44.040 CEST`.
    func preciseWords(_ moment: Timestamp) -> String {
        let fields = shifted(moment)
        let fraction = fields.iso8601.suffix(".040Z".count).dropLast()
        return "\(fields.secondWords)\(fraction) \(abbreviation(at: moment))"
    }

    private func abbreviation(at moment: Timestamp) -> String {
        let abbreviation = clock(at: moment).abbreviation
        return abbreviation.isEmpty ? "UTC" : abbreviation
    }

    /// `2021-07-22 22:39:44`.
    func secondWords(_ moment: Timestamp) -> String { shifted(moment).secondWords }

    /// `2021-07-22 22:39`.
    func minuteWords(_ moment: Timestamp) -> String { shifted(moment).minuteWords }

    /// `2021-07-22 14:39 America/Denver`.
    func minuteAndZone(_ moment: Timestamp) -> String { "\(minuteWords(moment)) \(nameInWords)" }

    /// Returns the zone's offset from UTC at `moment`, in seconds, and its abbreviation. The abbreviation is empty if
    /// TZ is neither a file nor a rule; the zone is then UTC.
    private func clock(at moment: Timestamp) -> (offset: Int64, abbreviation: String) {
        var seconds = Int(moment.milliseconds / 1000) - (moment.milliseconds % 1000 < 0 ? 1 : 0)
        var fields = tm()
        guard !isUTC, localtime_r(&seconds, &fields) != nil else { return (0, "UTC") }
        return (Int64(fields.tm_gmtoff), String(cString: fields.tm_zone))
    }
}
