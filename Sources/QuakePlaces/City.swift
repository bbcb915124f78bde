public import QuakeModel

/// A city with 15,000 people or more, as GeoNames knows it (geonames.org, Creative Commons Attribution 4.0).
public struct City: Hashable, Sendable {
    /// The name, mostly the English one.
    public let name: String
    /// The state; nil outside the United States.
    public let state: String?
    public let country: String
    /// The code of the country, ISO 3166-1 alpha-2.
    public let countryCode: String
    /// The center, to a thousandth of a degree.
    public let point: GeographicPoint
    /// How many people live there, in steps of a quarter of an octave: 0 for fewer than 15,000.
    let size: Int
}

extension City {
    /// The countries, and the states of the United States, that have cities.
    package static var regions: [String] { Gazetteer().regions.map { $0.state ?? $0.country } }
}

extension City: CustomStringConvertible {
    /// The name, and the state or otherwise the country: `Ridgecrest, California`; `Tokyo, Japan`. A city that has the
    /// name of its country has it once.
    public var description: String {
        let region = state ?? country
        return name == region ? name : "\(name), \(region)"
    }
}

extension City {
    /// The largest cities whose names begin with `text`, at most `count`, each with the shortest name that leads to it
    /// and begins with that text: `Tokyo`; `San Juan, Argentina`.
    package static func completions(of text: String, count: Int) -> [(name: String, city: City)] {
        let gazetteer = Gazetteer()
        let regions = gazetteer.regions
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let prefix = CityKey.key(of: parts.first ?? "")
        let entries = parts.count > 1 ? gazetteer.entries(ofKey: prefix) : gazetteer.entries(startingWith: prefix)
        let largest = entries.sorted { $0.size > $1.size }.prefix(count)
        return largest.map { entry in
            let city = gazetteer.city(entry, in: regions)
            let title = entry.title
            let isEnough = parts.count < 2 && (try? named(title)) == city
            return (isEnough ? title : "\(title), \(city.state ?? city.country)", city)
        }
    }
}
