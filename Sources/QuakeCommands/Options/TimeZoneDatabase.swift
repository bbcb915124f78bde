import FoundationEssentials
import Glibc
import QuakeOutput

/// Why a time zone cannot be used.
enum TimeZoneFault: Error, Equatable {
    /// There is no zone of this name; the most similar name.
    case unknown(suggestion: String?)
    /// There is no time zone database on this machine.
    case noDatabase(directory: String)
}

/// The time zones of this machine.
struct TimeZoneDatabase {
    /// The directory with a file for each zone.
    let directory: String

    /// The database of `environment`, where the C library looks for it too.
    init(_ environment: CommandEnvironment) {
        directory = environment.variable("TZDIR") ?? "/usr/share/zoneinfo"
    }

    /// The time in the zone called `name`, which becomes that of this process: `UTC`, `local` or the name of a file such
    /// as `Europe/Berlin`.
    func localTime(_ name: String) throws(TimeZoneFault) -> LocalTime {
        switch name.lowercased() {
        case "utc": return .utc
        case "local": return .ofProcess()
        default: break
        }
        if isFile(name), let time = LocalTime.inFile(name) { return time }
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

    /// The name whose city is written so, or the most similar name.
    private func similarName(to name: String, among names: [String]) -> String? {
        guard !name.isEmpty else { return nil }
        let city = name.split(separator: "/").last.map { $0.lowercased().replacing(" ", with: "_") }
        return names.first { $0.split(separator: "/").last?.lowercased() == city } ?? name.nearest(among: names)
    }
}
