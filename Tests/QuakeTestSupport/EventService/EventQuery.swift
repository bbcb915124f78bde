import Foundation
import QuakeModel

/// A request to the event service: its parameters, read at least as strictly as by the service.
///
/// Based on the service's published source (usgs/earthquake-event-ws) and its documentation. Only `geojson` is
/// supported. A parameter that is repeated or empty is an error here, because it is the client's mistake.
public struct EventQuery: Sendable {
    /// A parameter that the service rejects.
    public struct Refusal: Error, Equatable {
        /// The service's error message.
        public let message: String
    }

    enum Order: String, CaseIterable, Sendable {
        case time, timeAscending = "time-asc", magnitude, magnitudeAscending = "magnitude-asc"
    }

    enum Deleted: String, CaseIterable, Sendable {
        case hidden = "false", included = "true", only
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
    var order = Order.time
    var limit: Int?
    var offset = 1
    var deleted = Deleted.hidden
    var eventID: String?
    var includesSuperseded = false
    var emptyStatus: Int?

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
    init(_ parameters: [(name: String, value: String)], mostRows: Int) throws(Refusal) {
        var format: String?
        var seen: Set<String> = []
        for (name, value) in parameters {
            guard seen.insert(name).inserted else { throw Refusal(message: "Parameter \"\(name)\" is given twice.") }
            guard !value.isEmpty else { throw Refusal(message: "Bad \(name) value \"\".") }
            switch name {
            case "format": format = value
            case "starttime": start = try Self.time(name, value)
            case "endtime": end = try Self.time(name, value)
            case "updatedafter": updatedAfter = try Self.time(name, value)
            case "minmagnitude": magnitudes.lowest = try Self.number(name, value)
            case "maxmagnitude": magnitudes.highest = try Self.number(name, value)
            case "mindepth": depths.lowest = try Self.number(name, value)
            case "maxdepth": depths.highest = try Self.number(name, value)
            case "minlatitude": latitudes.lowest = try Self.number(name, value, -90, 90)
            case "maxlatitude": latitudes.highest = try Self.number(name, value, -90, 90)
            case "minlongitude": longitudes.lowest = try Self.number(name, value, -360, 360)
            case "maxlongitude": longitudes.highest = try Self.number(name, value, -360, 360)
            case "latitude": center.latitude = try Self.number(name, value, -90, 90)
            case "longitude": center.longitude = try Self.number(name, value, -180, 180)
            case "maxradiuskm": radiusKilometers = try Self.number(name, value, 0, 20001.6)
            case "eventtype": types = value.lowercased().split(separator: ",").map { String($0) }
            case "orderby": order = try Self.member(name, value)
            case "limit": limit = try Self.count(name, value, from: 1, to: mostRows)
            case "offset": offset = try Self.count(name, value, from: 1)
            case "includedeleted": deleted = try Self.member(name, value.lowercased())
            case "includesuperseded": includesSuperseded = value == "true"
            case "eventid": eventID = value
            case "nodata":
                guard value == "204" || value == "404" else {
                    throw Refusal(message: Self.bad(name, value, #"Valid values are: "204", "404"."#))
                }
                emptyStatus = Int(value)
            default: throw Refusal(message: "Unknown parameter \"\(name)\".")
            }
        }
        guard format == "geojson" else {
            throw Refusal(message: Self.bad("format", format ?? "", #"Valid values are: "geojson"."#))
        }
        try checkCombinations()
    }

    private func checkCombinations() throws(Refusal) {
        let circle = [center.latitude, center.longitude, radiusKilometers].compactMap(\.self).count
        guard circle == 0 || circle == 3 else {
            throw Refusal(
                message: "Invalid area-circle parameter combination.\n"
                    + "latitude, longitude, and maxradius must all be specified for area-circle.")
        }
        if let lowest = latitudes.lowest, let highest = latitudes.highest, lowest > highest {
            throw Refusal(message: "minlatitude must be less than maxlatitude")
        }
        guard let lowest = longitudes.lowest, let highest = longitudes.highest else {
            guard longitudes.lowest ?? 0 >= -180, longitudes.highest ?? 0 <= 180 else {
                throw Refusal(
                    message: "Searches that cross dateline require both minlongitude and maxlongitude.")
            }
            return
        }
        guard lowest <= highest else { throw Refusal(message: "minlongitude must be less than maxlongitude") }
        guard highest - lowest <= 360 else {
            throw Refusal(message: "Searches cannot span more than 360 degrees of longitude.")
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
    private static func bad(_ name: String, _ value: String, _ valid: String) -> String {
        "Bad \(name) value \"\(value)\". \(valid)"
    }

    private static func time(_ name: String, _ value: String) throws(Refusal) -> Timestamp {
        guard !value.contains(" "), let moment = Timestamp(iso8601: value) else {
            throw Refusal(message: bad(name, value, "Valid values are ISO-8601 timestamps."))
        }
        return moment
    }

    private static func number(
        _ name: String, _ value: String, _ lowest: Double? = nil, _ highest: Double? = nil
    ) throws(Refusal) -> Double {
        guard let number = Double(value), number.isFinite, number >= lowest ?? number, number <= highest ?? number
        else {
            throw Refusal(message: bad(name, value, "Valid values are \(range(name, lowest, highest))"))
        }
        return number
    }

    private static func count(
        _ name: String, _ value: String, from lowest: Int, to highest: Int? = nil
    ) throws(Refusal) -> Int {
        guard value.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(value), number >= lowest,
            number <= highest ?? number
        else {
            throw Refusal(
                message: bad(name, value, "Valid values are \(range(name, Double(lowest), highest.map { Double($0) }))")
            )
        }
        return number
    }

    private static func range(_ name: String, _ lowest: Double?, _ highest: Double?) -> String {
        func text(_ number: Double) -> String { number == number.rounded() ? String(Int(number)) : String(number) }
        guard lowest != nil || highest != nil else { return "numeric" }
        return (lowest.map { text($0) + " <= " } ?? "") + name + (highest.map { " <= " + text($0) } ?? "")
    }

    private static func member<Member: RawRepresentable & CaseIterable>(
        _ name: String, _ value: String
    ) throws(Refusal) -> Member where Member.RawValue == String {
        guard let member = Member(rawValue: value) else {
            let valid = Member.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            throw Refusal(message: bad(name, value, "Valid values are: \(valid)."))
        }
        return member
    }
}
