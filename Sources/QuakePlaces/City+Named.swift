public import QuakeModel

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
        if let city = try exactMatch(name) { return city }
        // A longer string cannot be a misspelled name, and would be slow to compare.
        guard name.count <= 100 else { throw .unknown(similar: []) }
        let gazetteer = Gazetteer()
        let readings = CityInterpretation.interpretations(of: name, regions: gazetteer.regions)
        throw .unknown(similar: gazetteer.cities(similarTo: readings))
    }

    /// Returns the same city as ``named(_:)``; nil, without a slow search for similar names, if there is none.
    package static func exactMatch(_ name: String) throws(CityNameError) -> City? {
        let gazetteer = Gazetteer()
        let regions = gazetteer.regions
        var elsewhere: [City] = []
        for reading in CityInterpretation.interpretations(of: name, regions: regions) {
            let entries = gazetteer.entries(from: reading.key).prefix { $0.key == reading.key }
            let cities = entries.filter { reading.accepts($0.region) }.map { gazetteer.city($0, in: regions) }
                .sorted { $0.size > $1.size }
            if cities.count > 1, cities[0].size - cities[1].size < clearlyLargerSteps { throw .ambiguous(cities) }
            if let city = cities.first { return city }
            if elsewhere.isEmpty {
                elsewhere = entries.map { gazetteer.city($0, in: regions) }.sorted { $0.size > $1.size }
            }
        }
        if !elsewhere.isEmpty { throw .elsewhere(elsewhere) }
        return nil
    }

    /// The number of steps in ``size`` that correspond to four times as many people.
    private static let clearlyLargerSteps = 8
}
