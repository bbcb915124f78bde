import ArgumentParser
import QuakePlaces
import QuakeStore
import QuakeSystem

/// A place on the command line: `LAT,LON`, the name of a city or, for `--near`, the id of a quake.
struct PlaceArgument: Hashable, Sendable {
    var point: GeographicPoint
    /// The city named; nil for coordinates or a quake.
    var city: City?
    /// The id of the quake named; nil for a city or coordinates. The epicenter is unknown until ``locate(in:)`` is
    /// called.
    var quakeID: String?
    /// The title of the quake named; nil before ``locate(in:)`` is called.
    var quakeTitle: String?
    /// The coordinates as they were typed; nil for a city or quake.
    var coordinates: String?

    /// Parses a city, coordinates, the id of a quake, or the URL of its event page.
    static func parseNear(_ text: String) throws -> PlaceArgument {
        let id = text.quakeIDArgument
        guard id.wholeMatch(of: /(?i)[a-z]{2,}[0-9][a-z0-9]{2,}/) != nil else { return try parse(text) }
        return PlaceArgument(point: GeographicPoint(latitude: 0, longitude: 0), quakeID: id)
    }

    /// Sets the point to the epicenter of the quake named, according to `context`.
    mutating func locate(in context: QuakeContext) throws {
        guard let quakeID else { return }
        guard let quake = try context.key(ofID: quakeID).flatMap(context.quake(key:)) else {
            throw try context.unknownQuake(quakeID)
        }
        point = quake.quake.epicenter
        quakeTitle = quake.quake.title
    }

    /// Parses a city or coordinates. Throws an error that says what is wrong or which cities may be meant.
    static func parse(_ text: String) throws -> PlaceArgument {
        if let parts = text.wholeMatch(of: /(?i)(.+), *([0-9.]+ *(?:km|mi|miles?))/)?.output {
            throw ValidationError(
                "The radius is a separate option: --near \(String(parts.1).shellWord) "
                    + "--radius \(String(parts.2).shellWord).")
        }
        if let parts = text.wholeMatch(of: /(?i)([0-9.]+)°? *([NS]),? *([0-9.]+)°? *([EW])/)?.output {
            let signs = (parts.2.lowercased() == "s" ? "-" : "", parts.4.lowercased() == "w" ? "-" : "")
            throw ValidationError("Write LAT,LON as signed degrees: \(signs.0)\(parts.1),\(signs.1)\(parts.3).")
        }
        guard text.contains(where: \.isLetter) else {
            return PlaceArgument(
                point: try GeographicPoint.parse(text), city: nil, coordinates: String(text.trimmingSpaces))
        }
        do {
            let city = try City.named(text)
            try requireNoRegion(text, city)
            return PlaceArgument(point: city.point, city: city)
        } catch let error as CityNameError { throw ValidationError(message(error, text)) }
    }

    /// Throws if a country or state elsewhere has the same name as the city, because either may be meant.
    private static func requireNoRegion(_ text: String, _ city: City) throws {
        guard let region = FilterVocabulary.region(among: [text]), region != city.state ?? city.country else { return }
        throw ValidationError(
            "\(region) is a country or state, and \(city) is a city. For the city, write "
                + "\(city.description.shellWord); for the country or state, use --region \(region.shellWord).")
    }

    /// Whether `name` means a country, a state, or a part of these, such as a province. False for a name with a comma,
    /// such as `Petrolia, CA`.
    static func isRegion(_ name: String) -> Bool {
        !name.contains(",") && FilterVocabulary.region(among: Region.names(ofQuery: name)) != nil
    }

    private static func message(_ error: CityNameError, _ text: String) -> String {
        let name = "\"\(TerminalText.sanitized(String(text.prefix(100))))\""
        switch error {
        case .unknown(let similar):
            if isRegion(text) {
                let region = Region.wholeRegion(ofQuery: text) ?? text
                return "A place must be a point, not a state or country; to select a region, use "
                    + "--region \(region.shellWord)."
            }
            guard similar.isEmpty else {
                return "No city of 15,000 people or more is called \(name). Did you mean "
                    + "\(list(similar.map(\.description)))? You can also give LAT,LON, such as 35.69,139.69."
            }
            let town = text.split(separator: ",").first.map { String($0.trimmingSpaces) } ?? ""
            let search =
                text.contains(",") && !town.isEmpty
                ? ", or search place names with --place \(TerminalText.sanitized(town).shellWord)" : ""
            return "No city of 15,000 people or more is called \(name). Use LAT,LON, such as 35.69,139.69\(search)."
        case .ambiguous(let cities):
            return "Several cities are called \(name). Add the country or state: \(list(places(cities)))."
        case .elsewhere(let cities):
            return "No city of 15,000 people or more is called \(name). Did you mean \(list(places(cities)))?"
        }
    }

    /// Returns up to eight cities with their regions. Cities in the same region also have their coordinates.
    private static func places(_ cities: [City]) -> [String] {
        cities.prefix(8).map { city in
            let isShared = cities.count { $0.description == city.description } > 1
            return isShared ? words(city.description, city.point) : city.description
        } + (cities.count > 8 ? ["\(cities.count - 8) more"] : [])
    }

    private static func list(_ words: [String]) -> String {
        words.count < 2
            ? words.joined()
            : words.dropLast().joined(separator: "; ") + (words.count == 2 ? " or " : "; or ") + (words.last ?? "")
    }

    /// Returns the name with coordinates: `Tokyo, Japan (35.69,139.692)`.
    private static func words(_ name: String, _ point: GeographicPoint) -> String {
        "\(name) (\(PlainNumber.text(point.latitude, decimals: 3)),\(PlainNumber.text(point.longitude, decimals: 3)))"
    }

    /// The city or quake chosen, with its coordinates; nil if coordinates were given.
    var remark: String? { (city?.description ?? quakeTitle).map { TerminalText.sanitized(Self.words($0, point)) } }

    /// The name of the city or the id of the quake, as in "42 km NNW of Tokyo"; nil for coordinates.
    var name: String? { city?.name ?? quakeID }
}

extension Site {
    init(_ place: PlaceArgument, _ origin: Origin) {
        self.init(point: place.point, origin: origin, city: place.name, coordinates: place.coordinates)
    }
}
