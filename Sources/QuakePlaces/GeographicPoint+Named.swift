public import FoundationEssentials
public import QuakeModel

/// Why a name does not lead to one city.
public enum CityNameError: Error, Equatable, Sendable {
    /// No city has this name. `similar` are those whose names are spelled most like it, at most three.
    case unknown(similar: [City])
    /// Several cities have it, and the largest is not much larger than the next one. The largest first.
    case ambiguous([City])
    /// No city of this name lies in the country or state that was named; those elsewhere, the largest first.
    case elsewhere([City])
}

extension CityNameError: LocalizedError {
    /// What is wrong with the name, and which cities it may mean.
    public var errorDescription: String? {
        switch self {
        case .unknown(let similar) where similar.isEmpty: "No city with a population of 15,000 or more has this name."
        case .unknown(let similar):
            "No city with a population of 15,000 or more has this name; similar ones are \(Self.list(similar))."
        case .ambiguous(let cities): "Several cities have this name: \(Self.list(cities))."
        case .elsewhere(let cities): "There is no city with this name there, only elsewhere: \(Self.list(cities))."
        }
    }

    private static func list(_ cities: [City]) -> String {
        cities.prefix(3).map(\.description).joined(separator: "; ")
    }
}

extension GeographicPoint {
    /// The center of the city called `name`: see ``City/named(_:)``.
    public static func named(_ name: String) throws(CityNameError) -> GeographicPoint { try City.named(name).point }
}

extension City {
    /// The city called `name`: `Tokyo`; `San Juan, Puerto Rico`; `Ridgecrest, CA`; `washington dc`.
    ///
    /// Case, accents, signs and usual short forms (`St.` for Saint) do not matter. A country or state may follow, by its
    /// name or code, in the United States also both. Of several cities the largest is taken if it has at least four
    /// times as many people as the next one.
    public static func named(_ name: String) throws(CityNameError) -> City {
        if let city = try known(name) { return city }
        let gazetteer = Gazetteer()
        let readings = CityReading.readings(of: name, regions: gazetteer.regions)
        throw .unknown(similar: SimilarNames(gazetteer).cities(for: readings, in: gazetteer.regions))
    }

    /// The same, but nil if there is no such city: looking for similar names takes much longer.
    package static func known(_ name: String) throws(CityNameError) -> City? {
        let gazetteer = Gazetteer()
        let regions = gazetteer.regions
        var elsewhere: [City] = []
        for reading in CityReading.readings(of: name, regions: regions) {
            let entries = gazetteer.entries(ofKey: reading.key)
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

    /// The steps of ``size`` that make four times as many people.
    private static let clearlyLarger = 8
}

/// One way to read what a person typed: a name, and the regions it may lie in.
struct CityReading {
    let key: [UInt8]
    /// The numbers of the regions; nil for all.
    var regions: Set<Int>?

    /// Whether a city may lie in this region.
    func accepts(_ region: Int) -> Bool { regions?.contains(region) ?? true }

    /// The ways to read `text`, the most likely first: a name, a name before a comma, or regions in the last words.
    static func readings(of text: String, regions: [Gazetteer.Region]) -> [CityReading] {
        // No name is longer, and each way to read one is looked up.
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
