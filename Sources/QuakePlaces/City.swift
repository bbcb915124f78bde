public import QuakeModel

/// A city in the GeoNames list of cities with at least 15,000 people (geonames.org, Creative Commons Attribution 4.0).
public struct City: Hashable, Sendable {
    /// The name, usually in English.
    public let name: String
    /// The U.S. state; nil for a city in another country.
    public let state: String?
    public let country: String
    /// The ISO 3166-1 alpha-2 country code.
    package let countryCode: String
    /// The coordinates of the center, to a thousandth of a degree.
    public let point: GeographicPoint
    /// The population on a logarithmic scale with four steps per doubling; 0 for fewer than 15,000 people.
    let size: Int
}

extension City {
    /// The names of the U.S. states and the other countries that have cities in the list.
    package static var regions: [String] { Gazetteer().regions.map { $0.state ?? $0.country } }
}

extension City {
    /// Returns up to `count` cities whose centers `isWanted` accepts, largest first.
    package static func largest(_ count: Int, where isWanted: (GeographicPoint) -> Bool) -> [City] {
        let gazetteer = Gazetteer()
        let entries = gazetteer.entries().filter { !$0.isOtherName && isWanted($0.point) }
        let regions = gazetteer.regions
        return entries.sorted { $0.size > $1.size }.prefix(count).map { gazetteer.city($0, in: regions) }
    }
}

extension City: CustomStringConvertible {
    /// The name with the state or, outside the United States, the country: `Ridgecrest, California`, `Tokyo, Japan`.
    /// The country is omitted if it has the same name as the city.
    public var description: String {
        let region = state ?? country
        return name == region ? name : "\(name), \(region)"
    }
}

extension City {
    /// Returns the largest cities whose names begin with `text`, up to `count`. Each comes with the shortest
    /// unambiguous name that begins with that text, such as `Tokyo` or `San Juan, Argentina`.
    package static func completions(of text: String, count: Int) -> [(name: String, city: City)] {
        let gazetteer = Gazetteer()
        let regions = gazetteer.regions
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let prefix = CityKey.key(of: parts.first ?? "")
        let entries = gazetteer.entries(from: prefix).prefix {
            parts.count > 1 ? $0.key == prefix : $0.key.starts(with: prefix)
        }
        let largest = entries.sorted { $0.size > $1.size }.prefix(count)
        return largest.map { entry in
            let city = gazetteer.city(entry, in: regions)
            let title = entry.sortName
            let isEnough = parts.count < 2 && (try? named(title)) == city
            return (isEnough ? title : "\(title), \(city.state ?? city.country)", city)
        }
    }
}
