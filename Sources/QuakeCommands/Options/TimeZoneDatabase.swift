import FoundationEssentials
import QuakeModel
import QuakeOutput

/// Why a time zone cannot be used.
enum TimeZoneFault: Error, Equatable {
    /// There is no zone of this name; the most similar name.
    case unknown(suggestion: String?)
    /// There is no time zone database on this machine.
    case noDatabase(directory: String)
}

/// The time zones of this machine. FoundationEssentials knows none, and the C library only that of the process.
struct TimeZoneDatabase {
    /// The directory with a file for each zone.
    let directory: String
    /// The value of the variable TZ.
    let variable: String?
    /// The file of the machine's own zone.
    var localFile = "/etc/localtime"

    /// The database of `environment`.
    init(_ environment: CommandEnvironment) {
        directory = environment.variable("TZDIR") ?? "/usr/share/zoneinfo"
        // An empty TZ means UTC.
        variable = environment.variables["TZ"]
    }

    /// A database in `directory`, on a machine whose own zone is that in `localFile`.
    init(directory: String, variable: String? = nil, localFile: String) {
        self.directory = directory
        self.variable = variable
        self.localFile = localFile
    }

    /// The time in the zone called `name`: `UTC`, `local` or the name of a file such as `Europe/Berlin`.
    func localTime(_ name: String) throws(TimeZoneFault) -> LocalTime {
        switch name.lowercased() {
        case "utc": return .utc
        case "local": return LocalTime(name: "local", zone: localZone)
        default: break
        }
        // The name becomes a part of a path.
        let isPlain = name.utf8.allSatisfy { byte in
            Character(Unicode.Scalar(byte)).isLetter || (0x30...0x39).contains(byte) || "_+-/".utf8.contains(byte)
        }
        if isPlain, !name.hasPrefix("/"), let zone = zone(inFile: "\(directory)/\(name)") {
            return LocalTime(name: name, zone: zone)
        }
        let names = names
        guard !names.isEmpty else { throw .noDatabase(directory: directory) }
        throw .unknown(suggestion: similarName(to: name, among: names))
    }

    /// The zone that the C library would use (tzset(3)): that of TZ, else that of the machine, else UTC.
    private var localZone: TimeZoneRules {
        let utc = TimeZoneRules(PosixZone(abbreviation: "UTC", offset: 0))
        guard let variable else { return zone(inFile: localFile) ?? utc }
        let name = variable.hasPrefix(":") ? String(variable.dropFirst()) : variable
        return zone(inFile: name.hasPrefix("/") ? name : "\(directory)/\(name)")
            ?? PosixZone(name).map { TimeZoneRules($0) } ?? utc
    }

    private func zone(inFile path: String) -> TimeZoneRules? {
        FileManager.default.contents(atPath: path).flatMap { TimeZoneRules(file: Array($0)) }
    }

    /// The names in the directory and in those in it. Names of zones begin with a capital letter.
    var names: [String] {
        entries(of: directory).flatMap { area in
            let cities = entries(of: "\(directory)/\(area)")
            return cities.isEmpty ? [area] : cities.map { "\(area)/\($0)" }
        }
    }

    private func entries(of path: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [])
            .filter { $0.first?.isUppercase == true }.sorted()
    }

    /// The name whose city is written so, or the most similar name.
    private func similarName(to name: String, among names: [String]) -> String? {
        guard !name.isEmpty else { return nil }
        let city = name.split(separator: "/").last.map { $0.lowercased().replacing(" ", with: "_") }
        return names.first { $0.split(separator: "/").last?.lowercased() == city } ?? name.nearest(among: names)
    }
}
