import Foundation

/// The CSV that USGS publishes beside a GeoJSON document, made without the product.
extension RawSnapshot {
    /// The properties that CSV has, and the names of their columns, in USGS's order. The id is another column.
    private static let columns: KeyValuePairs = [
        "time": "time", "lat": "latitude", "lon": "longitude", "depth": "depth", "mag": "mag", "magType": "magType",
        "nst": "nst", "gap": "gap", "dmin": "dmin", "rms": "rms", "net": "net", "id": "id", "updated": "updated",
        "place": "place", "type": "type", "horizontal_error": "horizontalError", "depth_error": "depthError",
        "mag_error": "magError", "mag_nst": "magNst", "status": "status", "location_source": "locationSource",
        "mag_source": "magSource",
    ]
    static let uncertainties: Set<String> = [
        "horizontal_error", "depth_error", "mag_error", "mag_nst", "location_source", "mag_source",
    ]
    static let propertiesOfCSV = Set(columns.map(\.key))

    /// What the document's CSV says: without the properties that CSV lacks, and as of the newest update.
    var asCSV: RawSnapshot {
        var copy = self
        copy.generated = Int64(quakes.values.map(\.updated).max() ?? 0)
        copy.quakes = quakes.mapValues { quake in
            var quake = quake
            quake.values = quake.values.filter { Self.propertiesOfCSV.contains($0.key) }
            return quake
        }
        return copy
    }

    /// The document with invented uncertainties. They depend on the solution alone: one in four has none, and each of
    /// the others lacks at least one.
    func withUncertainties() -> RawSnapshot {
        var copy = self
        copy.quakes = quakes.mapValues { $0.withUncertainties() }
        return copy
    }

    /// The text of the CSV, the newest quake first.
    var csv: String {
        let rows = quakes.sorted { ($1.value.number("time") ?? 0, $1.key) < ($0.value.number("time") ?? 0, $0.key) }
            .map { id, quake in
                Self.columns.map { $0.key == "id" ? id : Self.field(quake.values[$0.key] ?? .null, of: $0.key) }
            }
        return ([Self.columns.map(\.value)] + rows).map { $0.joined(separator: ",") + "\n" }.joined()
    }

    private static func field(_ value: RawQuake.Value, of property: String) -> String {
        switch value {
        case .number(let number) where property == "time" || property == "updated": iso8601(Int64(number))
        case .number(let number) where number == number.rounded() && abs(number) < 1e15: "\(Int64(number))"
        case .number(let number): "\(number)"
        case .text(let text) where text.contains { ",\"\r\n".contains($0) }:
            "\"" + text.replacingOccurrences(of: "\"", with: "\"\"") + "\""
        case .text(let text): text
        case .null, .set: ""
        }
    }

    private static func iso8601(_ milliseconds: Int64) -> String {
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        var moment = time_t(rest < 0 ? seconds - 1 : seconds)
        var parts = tm()
        gmtime_r(&moment, &parts)
        return String(
            format: "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
            parts.tm_hour, parts.tm_min, parts.tm_sec, Int32(rest < 0 ? rest + 1000 : rest))
    }
}

extension RawQuake {
    func withUncertainties() -> RawQuake {
        let solution = ["time", "lat", "lon", "depth", "mag", "magType"].map { "\(values[$0] ?? .null)".lowercased() }
        let seed = solution.joined().utf8.reduce(UInt64(5381)) { ($0 &* 33) ^ UInt64($1) }
        guard !seed.isMultiple(of: 4) else { return self }
        let invented: [String: Value] = [
            "horizontal_error": .number(Double(seed % 997) / 100), "depth_error": .number(Double(seed % 3163) / 100),
            "mag_error": .number(Double(seed % 499) / 1000), "mag_nst": .number(Double(seed % 61)),
            "location_source": .text("us"), "mag_source": .text(seed.isMultiple(of: 3) ? "at" : "pr"),
        ]
        let missing = invented.keys.sorted()[Int(seed % 6)]
        var quake = self
        for (name, value) in invented where name != missing { quake.values[name] = value }
        return quake
    }
}
