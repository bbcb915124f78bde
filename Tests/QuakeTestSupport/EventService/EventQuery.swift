import Foundation
import QuakeModel

/// A request to the event service: its parameters, read more strictly than by the service.
///
/// Based on the service's published source (usgs/earthquake-event-ws) and its documentation. Any parameter or value
/// that the program has no reason to send is an error here.
public struct EventQuery: Sendable {
    /// A parameter that the service rejects.
    struct Refusal: Error {
        /// The service's error message.
        let message: String

        init(_ name: String, _ value: String) { message = "Bad \(name) value \"\(value)\"." }
    }

    var start: Timestamp?
    var end: Timestamp?
    var updatedAfter: Timestamp?
    var magnitudes = Bounds()
    var depths = Bounds()
    var latitudes = Bounds()
    var longitudes = Bounds()
    var center: (latitude: Double?, longitude: Double?)
    var radiusKilometers: Double?
    var types: [String]?
    var deleted = Deleted.excluded
    var eventID: String?
    var includesSuperseded = false
    var isCSV = false

    /// Whether the response lists deleted events, besides the existing quakes or alone.
    enum Deleted: Sendable {
        case excluded, included, only
    }

    var includesDeleted: Bool { deleted != .excluded }

    /// The lowest and highest matching values, both inclusive.
    struct Bounds: Sendable {
        var lowest: Double?
        var highest: Double?
        var isOpen: Bool { lowest == nil && highest == nil }

        func contain(_ value: Double?) -> Bool {
            guard let value else { return isOpen }
            return value >= lowest ?? -.infinity && value <= highest ?? .infinity
        }
    }

    /// Reads `parameters` in the given order.
    init(_ parameters: [(name: String, value: String)]) throws(Refusal) {
        var seen: Set<String> = []
        for (name, value) in parameters {
            guard seen.insert(name).inserted, !value.isEmpty else { throw Refusal(name, value) }
            switch name {
            case "starttime": start = try Self.time(name, value)
            case "endtime": end = try Self.time(name, value)
            case "updatedafter": updatedAfter = try Self.time(name, value)
            case "minmagnitude": magnitudes.lowest = try Self.number(name, value)
            case "maxmagnitude": magnitudes.highest = try Self.number(name, value)
            case "mindepth": depths.lowest = try Self.number(name, value)
            case "maxdepth": depths.highest = try Self.number(name, value)
            case "minlatitude": latitudes.lowest = try Self.number(name, value, 90)
            case "maxlatitude": latitudes.highest = try Self.number(name, value, 90)
            case "minlongitude": longitudes.lowest = try Self.number(name, value, 360)
            case "maxlongitude": longitudes.highest = try Self.number(name, value, 360)
            case "latitude": center.latitude = try Self.number(name, value, 90)
            case "longitude": center.longitude = try Self.number(name, value, 180)
            case "maxradiuskm": radiusKilometers = try Self.number(name, value, 20001.6)
            case "eventtype": types = value.lowercased().split(separator: ",").map { String($0) }
            case "includedeleted" where value == "only": deleted = .only
            case "includedeleted": deleted = try Self.flag(name, value) ? .included : .excluded
            case "includesuperseded": includesSuperseded = try Self.flag(name, value)
            case "eventid": eventID = value
            case "format" where value == "csv": isCSV = true
            case "format" where value == "geojson", "orderby" where value == "time-asc": break
            default: throw Refusal(name, value)
            }
        }
        guard seen.contains("format") else { throw Refusal("format", "") }
        guard !isCSV || eventID == nil else { throw Refusal("format", "csv") }
        try checkCombinations()
    }

    private func checkCombinations() throws(Refusal) {
        let circle = [center.latitude, center.longitude, radiusKilometers].compactMap(\.self).count
        guard circle == 0 || circle == 3 else { throw Refusal("maxradiuskm", "\(center)") }
        for (name, bounds) in [("latitude", latitudes), ("longitude", longitudes)] {
            guard bounds.isOpen || bounds.lowest ?? .infinity <= bounds.highest ?? -.infinity else {
                throw Refusal("min" + name, "\(bounds)")
            }
        }
        guard (longitudes.highest ?? 0) - (longitudes.lowest ?? 0) <= 360 else {
            throw Refusal("minlongitude", "\(longitudes)")
        }
    }

    /// Whether `quake` matches the requested origin times, magnitudes, places and types.
    func accepts(_ quake: Quake) -> Bool {
        if let start, quake.originTime < start { return false }
        if let end, quake.originTime > end { return false }
        guard magnitudes.contain(quake.magnitude), depths.contain(quake.hypocenter.depthKilometers),
            latitudes.contain(quake.hypocenter.latitude), acceptsLongitude(quake.hypocenter.longitude),
            acceptsDistance(of: quake.hypocenter)
        else { return false }
        return types?.contains(quake.eventType?.lowercased() ?? "") ?? true
    }

    /// A box across the date line has a longitude beyond ±180°, but a quake's longitude never is.
    private func acceptsLongitude(_ longitude: Double) -> Bool {
        guard longitudes.lowest != nil, longitudes.highest != nil else { return longitudes.contain(longitude) }
        return [longitude - 360, longitude, longitude + 360].contains { longitudes.contain($0) }
    }

    private func acceptsDistance(of hypocenter: Hypocenter) -> Bool {
        guard let latitude = center.latitude, let longitude = center.longitude, let radiusKilometers else {
            return true
        }
        let radians = Double.pi / 180
        let (north, east) = ((hypocenter.latitude - latitude) / 2, (hypocenter.longitude - longitude) / 2)
        let chord =
            pow(sin(north * radians), 2)
            + cos(latitude * radians) * cos(hypocenter.latitude * radians) * pow(sin(east * radians), 2)
        // The service uses 111.12 km per degree.
        return 2 * asin(min(1, chord.squareRoot())) / radians <= radiusKilometers / 111.12
    }
}

extension EventQuery {
    private static func time(_ name: String, _ value: String) throws(Refusal) -> Timestamp {
        // An unescaped plus sign is a space.
        guard !value.contains(" "), let moment = Timestamp(iso8601: value) else { throw Refusal(name, value) }
        return moment
    }

    private static func number(
        _ name: String, _ value: String, _ most: Double = .greatestFiniteMagnitude
    ) throws(Refusal) -> Double {
        guard let number = Double(value), abs(number) <= most else { throw Refusal(name, value) }
        return number
    }

    private static func flag(_ name: String, _ value: String) throws(Refusal) -> Bool {
        guard let flag = Bool(value) else { throw Refusal(name, value) }
        return flag
    }
}
