import FoundationEssentials
import Glibc
import QuakeOutput

enum TimeZoneFault: Error, Equatable {
    /// There is no zone of this name; the most similar name.
    case unknown(suggestion: String?)
    case noDatabase(directory: String)
}

struct TimeZoneDatabase {
    /// The directory with a file for each zone.
    let directory: String

    /// The file that TZ names, if it names one.
    private let pathInVariable: String

    /// The database of `environment`, where the C library looks for it too.
    init(_ environment: CommandEnvironment) {
        directory = environment.variable("TZDIR") ?? "/usr/share/zoneinfo"
        let zone = (environment.variable("TZ") ?? "").trimmingPrefix(":")
        pathInVariable = zone.hasPrefix("/") ? String(zone) : "\(directory)/\(zone)"
    }

    /// The time in the zone called `name` (`UTC`, `local`, `Europe/Berlin`), which becomes that of this process.
    func localTime(_ name: String) throws(TimeZoneFault) -> LocalTime {
        switch name.lowercased() {
        case "utc": return .utc
        case "local": return TimeZoneFile.isMalformed(pathInVariable) ? .withoutZone() : .ofProcess()
        default: break
        }
        if isFile(name), !TimeZoneFile.isMalformed("\(directory)/\(name)"), let time = LocalTime.inFile(name) {
            return time
        }
        let names = names
        guard !names.isEmpty else { throw .noDatabase(directory: directory) }
        throw .unknown(suggestion: similarName(to: name, among: names))
    }

    /// Whether `name`, which becomes a part of a path, is that of a file in the directory.
    private func isFile(_ name: String) -> Bool {
        let isPlain = name.utf8.allSatisfy { byte in
            Character(Unicode.Scalar(byte)).isLetter || (0x30...0x39).contains(byte) || "_+-/".utf8.contains(byte)
        }
        var status = stat()
        return isPlain && !name.hasPrefix("/") && stat("\(directory)/\(name)", &status) == 0
            && status.st_mode & S_IFMT == S_IFREG
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

    /// The name whose clocks show this abbreviation, whose city is written so, or the most similar name. The names that
    /// are abbreviations themselves (EST, MST) are no guess: two that differ by a letter differ by hours.
    private func similarName(to name: String, among names: [String]) -> String? {
        guard !name.isEmpty else { return nil }
        if let zone = Self.abbreviations[name.uppercased()] { return names.contains(zone) ? zone : nil }
        let city = name.split(separator: "/").last.map { $0.lowercased().replacing(" ", with: "_") }
        if let named = names.first(where: { $0.split(separator: "/").last?.lowercased() == city }) { return named }
        return name.nearest(among: names.filter { $0.contains(where: \.isLowercase) })
    }

    /// A zone for an abbreviation; of several, the one with the most people who write it.
    private static let abbreviations = [
        "PST": "America/Los_Angeles", "PDT": "America/Los_Angeles", "PT": "America/Los_Angeles",
        "PACIFIC": "America/Los_Angeles", "MST": "America/Denver", "MDT": "America/Denver", "MT": "America/Denver",
        "MOUNTAIN": "America/Denver", "CST": "America/Chicago", "CDT": "America/Chicago", "CT": "America/Chicago",
        "CENTRAL": "America/Chicago", "EST": "America/New_York", "EDT": "America/New_York", "ET": "America/New_York",
        "EASTERN": "America/New_York", "AKST": "America/Anchorage", "AKDT": "America/Anchorage",
        "HST": "Pacific/Honolulu", "HDT": "America/Adak", "AST": "America/Puerto_Rico", "CLT": "America/Santiago",
        "CLST": "America/Santiago", "ART": "America/Argentina/Buenos_Aires", "BRT": "America/Sao_Paulo",
        "PET": "America/Lima", "COT": "America/Bogota", "BST": "Europe/London", "WEST": "Europe/Lisbon",
        "CEST": "Europe/Berlin", "MEZ": "Europe/Berlin", "MESZ": "Europe/Berlin", "EEST": "Europe/Athens",
        "MSK": "Europe/Moscow", "TRT": "Europe/Istanbul", "IRST": "Asia/Tehran", "PKT": "Asia/Karachi",
        "IST": "Asia/Kolkata", "NPT": "Asia/Kathmandu", "WIB": "Asia/Jakarta", "PHT": "Asia/Manila",
        "HKT": "Asia/Hong_Kong", "SGT": "Asia/Singapore", "JST": "Asia/Tokyo", "KST": "Asia/Seoul",
        "AWST": "Australia/Perth", "ACST": "Australia/Adelaide", "AEST": "Australia/Sydney",
        "AEDT": "Australia/Sydney", "CHST": "Pacific/Guam", "NZST": "Pacific/Auckland", "NZDT": "Pacific/Auckland",
    ]
}
