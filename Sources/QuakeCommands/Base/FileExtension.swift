import ArgumentParser
import QuakeSystem

/// The extension of a file name, which implies an output format.
struct FileExtension {
    /// The extensions, each with the formats that it may contain. The default is the first of these that the command
    /// supports.
    static let table: KeyValuePairs<String, [String]> = [
        ".txt": ["table", "text", "terminal"], ".csv": ["csv", "csv-excel"], ".tsv": ["tsv"],
        ".json": ["json", "geojson"], ".ndjson": ["ndjson"], ".jsonl": ["ndjson"], ".geojson": ["geojson"],
        ".xml": ["quakeml"], ".html": ["html"], ".htm": ["html"], ".svg": ["svg"], ".prom": ["prometheus"],
    ]

    private let path: String
    /// The extension in lowercase, with its period; empty if there is none.
    private let text: String

    init(of path: String) {
        self.path = path
        let name = FileLocation.name(in: path)
        text = name.lastIndex(of: ".").map { name[$0...].lowercased() } ?? ""
    }

    /// Returns the default format for the extension; nil if the command supports none of its formats.
    func format<Format: RawRepresentable<String>>(_ type: Format.Type) -> Format? {
        fitting.lazy.compactMap(Format.init).first
    }

    /// Throws a usage error if the extension implies formats other than `format`.
    func require<Format: RawRepresentable<String>>(_ format: Format) throws {
        guard !fitting.isEmpty, !fitting.contains(format.rawValue) else { return }
        let own = Self.table.first { $0.value.contains(format.rawValue) }?.key ?? ""
        let alternative = self.format(Format.self).map { " or --format \($0.rawValue)" } ?? ""
        throw ValidationError(
            "--format \(format.rawValue) does not match the extension \(text); use \(own)\(alternative).")
    }

    /// Throws a usage error if the extension implies none of the formats in `all`.
    func requireFormat<Format: RawRepresentable<String>>(of all: [Format]) throws {
        let names = all.map(\.rawValue)
        guard Set(fitting).isDisjoint(with: names) else { return }
        let known = Self.table.filter { !Set($0.value).isDisjoint(with: names) }.map(\.key)
        throw ValidationError(
            "--output must end in \(known.dropLast().joined(separator: ", ")) or \(known.last ?? ""), unless "
                + "--format is given.")
    }

    /// Throws a usage error for an extension of files that only another command or program writes, with advice for a
    /// command that writes the formats in `all`.
    func requireOwn<Format: RawRepresentable<String>>(of all: [Format]) throws {
        if let hint = hint(for: all.map(\.rawValue)) {
            throw ValidationError("--output cannot end in \(text). \(hint)")
        }
    }

    private var fitting: [String] { Self.table.first { $0.key == text }?.value ?? [] }

    /// Returns advice on how to get a file with this extension, for a command that writes the formats `names`; nil if
    /// there is none.
    private func hint(for names: [String]) -> String? {
        let stem = String(path.dropLast(text.count))
        func file(_ ending: String) -> String { (stem + ending).shellWord }
        switch text {
        case ".png" where names.contains("svg"):
            return "Write a .svg file and convert it: `rsvg-convert -o \(path.shellWord) \(file(".svg"))`."
        case ".gpkg" where names.contains("geojson"), ".shp" where names.contains("geojson"):
            return "Write a .geojson file and convert it: `ogr2ogr \(path.shellWord) \(file(".geojson"))`."
        case ".xlsx" where names.contains("csv-excel"):
            return "Excel imports .csv files (Data, From Text/CSV)."
        case ".html" where names.contains("geojson"), ".svg" where names.contains("geojson"):
            return "`quakes map` writes pages and pictures."
        default: return nil
        }
    }
}
