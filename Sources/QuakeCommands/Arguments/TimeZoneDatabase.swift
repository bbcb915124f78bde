import ArgumentParser
import FoundationEssentials
import Glibc
import QuakeModel

struct TimeZoneDatabase {
    /// The directory that contains one file per zone.
    private let directory: String

    /// Uses the directory that the C library uses: `$TZDIR`, otherwise `/usr/share/zoneinfo`.
    init(_ environment: CommandEnvironment) { directory = environment.variable("TZDIR") ?? "/usr/share/zoneinfo" }

    /// Returns local time in the zone `name` (`UTC`, `local`, `America/Denver`, `+09:00`). A zone other than `UTC` and
    /// `local` becomes the time zone of this process. Throws a usage error that begins with `origin` if there is no
    /// such zone.
    func timeZone(named name: String, origin: String = "") throws -> DisplayTimeZone {
        switch name.lowercased() {
        case "utc": return .utc
        case "local": return .ofProcess()
        default: if let time = DisplayTimeZone.atOffset(name) { return time }
        }
        if isFile(name), let time = DisplayTimeZone.inFile(name) { return time }
        let names = names
        guard !names.isEmpty else {
            throw ValidationError(
                "\(origin)There is no time zone data in \(directory). Install tzdata, or use local or UTC.")
        }
        let similar = Self.offset(inName: name) ?? similarName(to: name, among: names)
        let remedy =
            similar.map { "Did you mean \($0)?" }
            ?? "Use local, UTC, a name such as America/Los_Angeles, or an offset such as +09:00."
        throw ValidationError("\(origin)There is no time zone \"\(TerminalText.sanitized(name))\". \(remedy)")
    }

    /// Returns the offset that `GMT+9` most likely means: `+09:00`. The zone `Etc/GMT+9` has the opposite sign.
    private static func offset(inName name: String) -> String? {
        guard let parts = name.wholeMatch(of: /(?i:UTC|GMT)([+-])([0-9]{1,2})/)?.output else { return nil }
        let offset = parts.1 + (parts.2.count == 1 ? "0" : "") + parts.2 + ":00"
        return DisplayTimeZone.atOffset(String(offset)) == nil ? nil : String(offset)
    }

    /// Whether `name` is safe in a path and is the name of a file in the directory.
    private func isFile(_ name: String) -> Bool {
        guard name.wholeMatch(of: /[A-Za-z0-9_+\-][A-Za-z0-9_+\-\/]*/) != nil else { return false }
        var status = stat()
        return stat("\(directory)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// The zone names in the directory and its subdirectories: the entries that begin with a capital letter.
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

    /// Returns the first of `names` with the same last part (the city) as `name`, ignoring case.
    private func similarName(to name: String, among names: [String]) -> String? {
        let city = name.split(separator: "/").last.map { $0.lowercased().replacing(" ", with: "_") }
        return names.first { $0.split(separator: "/").last?.lowercased() == city }
    }
}

extension DisplayTimeZone {
    /// Returns the zone given on the command line as `name`, otherwise the zone in `$QUAKES_TZ`, otherwise UTC.
    static func chosen(_ name: String?, in environment: CommandEnvironment) throws -> DisplayTimeZone {
        let database = TimeZoneDatabase(environment)
        if let name { return try database.timeZone(named: name) }
        return try environment.variable("QUAKES_TZ").map { try database.timeZone(named: $0, origin: "$QUAKES_TZ: ") }
            ?? .utc
    }
}
