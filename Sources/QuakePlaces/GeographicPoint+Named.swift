public import FoundationEssentials
public import QuakeModel

/// The reason a name does not resolve to a single city.
public enum CityNameError: Error, Equatable, Sendable {
    /// No city has this name. `similar` contains up to three cities with the most similar names.
    case unknown(similar: [City])
    /// Several cities have this name, and the largest is not much larger than the next. The largest city comes first.
    case ambiguous([City])
    /// Cities with this name exist only outside the given country or state. The largest city comes first.
    case elsewhere([City])
}

extension CityNameError: LocalizedError {
    /// A description of the problem and of the cities that may be meant.
    public var errorDescription: String? {
        switch self {
        case .unknown(let similar) where similar.isEmpty: "No city with a population of 15,000 or more has this name."
        case .unknown(let similar):
            "No city with a population of 15,000 or more has this name. Similar names: \(Self.list(similar))."
        case .ambiguous(let cities): "Several cities have this name: \(Self.list(cities))."
        case .elsewhere(let cities): "There is no city with this name there, only elsewhere: \(Self.list(cities))."
        }
    }

    private static func list(_ cities: [City]) -> String {
        cities.prefix(3).map(\.description).joined(separator: "; ")
    }
}

extension GeographicPoint {
    /// Returns the center of the city called `name`: see ``City/named(_:)``.
    public static func named(_ name: String) throws(CityNameError) -> GeographicPoint { try City.named(name).point }
}

extension City {
    /// Returns the city called `name`, such as `Tokyo`; `San Juan, Puerto Rico`; `Ridgecrest, CA`; `washington dc`.
    ///
    /// Case, accents and punctuation are ignored, and common abbreviations (`St.` for Saint) are expanded. The name or
    /// code of a country or state may follow; in the United States, both may. If several cities match, the largest is
    /// returned, provided that it has at least four times as many people as the next.
    public static func named(_ name: String) throws(CityNameError) -> City {
        if let city = try known(name) { return city }
        // Too long to be a misspelled name, and slow to compare.
        guard name.count <= 100 else { throw .unknown(similar: []) }
        let gazetteer = Gazetteer()
        let readings = CityReading.readings(of: name, regions: gazetteer.regions)
        throw .unknown(similar: gazetteer.cities(similarTo: readings))
    }

    /// Returns the same city as ``named(_:)``; nil, without a slow search for similar names, if there is none.
    package static func known(_ name: String) throws(CityNameError) -> City? {
        let gazetteer = Gazetteer()
        let regions = gazetteer.regions
        var elsewhere: [City] = []
        for reading in CityReading.readings(of: name, regions: regions) {
            let entries = gazetteer.entries(from: reading.key).prefix { $0.key == reading.key }
            let cities = entries.filter { reading.accepts($0.region) }.map { gazetteer.city($0, in: regions) }
                .sorted { $0.size > $1.size }
            if cities.count > 1, cities[0].size - cities[1].size < clearlyLarger { throw .ambiguous(cities) }
            if let city = cities.first { return city }
            if elsewhere.isEmpty {
                elsewhere = entries.map { gazetteer.city($0, in: regions) }.sorted { $0.size > $1.size }
            }
        }
        if !elsewhere.isEmpty { throw .elsewhere(elsewhere) }
        return nil
    }

    /// The number of steps in ``size`` that correspond to four times as many people.
    private static let clearlyLarger = 8
}

/// One possible reading of a typed name: a city's key, and the regions it may lie in.
struct CityReading {
    let key: [UInt8]
    /// The numbers of the regions; nil for all.
    var regions: Set<Int>?

    func accepts(_ region: Int) -> Bool { regions?.contains(region) ?? true }

    /// Returns the possible readings of `text`, most likely first: a name, optionally with regions after it.
    static func readings(of text: String, regions: [Gazetteer.Region]) -> [CityReading] {
        // No name is longer. The limit matters because every possible reading of the text is looked up.
        guard text.utf8.count <= 200 else { return [] }
        var readings = [CityReading(key: CityKey.key(of: text))]
        func numbers(_ key: [UInt8]) -> Set<Int> { Set(regions.indices.filter { regions[$0].keys.contains(key) }) }
        let parts = text.split(separator: ",").map { CityKey.key(of: $0) }.filter { !$0.isEmpty }
        if parts.count > 1 {
            let accepted = parts.dropFirst().map(numbers)
            readings.append(
                CityReading(key: parts[0], regions: accepted.dropFirst().reduce(accepted[0]) { $0.intersection($1) }))
        } else {
            let words = text.split { $0 == " " || $0 == "," }
            for count in words.indices.dropFirst() {
                let region = numbers(CityKey.key(of: words[count...].joined(separator: " ")))
                if !region.isEmpty {
                    readings.append(
                        CityReading(key: CityKey.key(of: words[..<count].joined(separator: " ")), regions: region))
                }
            }
        }
        return readings.filter { !$0.key.isEmpty }
    }
}
