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
