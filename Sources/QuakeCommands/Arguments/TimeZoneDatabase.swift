import ArgumentParser
import FoundationEssentials
import Glibc
import QuakeModel

struct TimeZoneDatabase {
    /// The directory with a file for each zone.
    private let directory: String

    /// Uses the same directory as the C library.
    init(_ environment: CommandEnvironment) { directory = environment.variable("TZDIR") ?? "/usr/share/zoneinfo" }

    /// Returns local time in the zone `name` (`UTC`, `local`, `America/Denver`, `+09:00`), which becomes the zone of
    /// this process unless it is UTC. Throws a usage error that begins with `origin` if there is no such zone.
    func localTime(_ name: String, origin: String = "") throws -> LocalTime {
        switch name.lowercased() {
        case "utc": return .utc
        case "local": return .ofProcess()
        default: if let time = LocalTime.atOffset(name) { return time }
        }
        if isFile(name), let time = LocalTime.inFile(name) { return time }
        let names = names
        guard !names.isEmpty else {
            throw ValidationError(
                "\(origin)There is no time zone data in \(directory). Install tzdata, or use local or UTC.")
        }
        let remedy =
            similarName(to: name, among: names).map { "Did you mean \($0)?" }
            ?? "Use local, UTC, a name such as America/Los_Angeles, or an offset such as +09:00."
        throw ValidationError("\(origin)There is no time zone \"\(TerminalText.sanitized(name))\". \(remedy)")
    }

    /// Whether `name` is safe to use in a path and names a file in the directory.
    private func isFile(_ name: String) -> Bool {
        guard name.wholeMatch(of: /[A-Za-z0-9_+\-][A-Za-z0-9_+\-\/]*/) != nil else { return false }
        var status = stat()
        return stat("\(directory)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// The zone names in the directory and its subdirectories. Zone names begin with a capital letter.
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

    /// Returns the first zone name with the same city, ignoring case.
    private func similarName(to name: String, among names: [String]) -> String? {
        let city = name.split(separator: "/").last.map { $0.lowercased().replacing(" ", with: "_") }
        return names.first { $0.split(separator: "/").last?.lowercased() == city }
    }
}

extension LocalTime {
    /// Returns the zone `name` from the command line, otherwise the one in `$QUAKES_TZ`, otherwise UTC.
    static func chosen(_ name: String?, in environment: CommandEnvironment) throws -> LocalTime {
        let database = TimeZoneDatabase(environment)
        if let name { return try database.localTime(name) }
        return try environment.variable("QUAKES_TZ").map { try database.localTime($0, origin: "$QUAKES_TZ: ") } ?? .utc
    }
}
