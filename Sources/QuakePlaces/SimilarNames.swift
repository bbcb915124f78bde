extension Gazetteer {
    /// Returns the cities that a person may have meant: up to three whose names resemble or begin with one of
    /// `readings`, most similar first.
    func cities(similarTo readings: [CityInterpretation]) -> [City] {
        let regions = regions
        var found: [(city: City, difference: Int)] = []
        for entry in entries() {
            let key = entry.key
            for reading in readings where reading.accepts(entry.region) {
                if key.starts(with: reading.key), reading.key.count > 2 {
                    found.append((city(entry, in: regions), 1))
                } else if let difference = difference(key, reading.key, upTo: min(3, 1 + reading.key.count / 5)) {
                    found.append((city(entry, in: regions), difference))
                }
            }
        }
        found.sort { ($0.difference, -$0.city.size) < ($1.difference, -$1.city.size) }
        var cities: [City] = []
        for (city, _) in found where !cities.contains(city) { cities.append(city) }
        return Array(cities.prefix(3))
    }

    /// Returns the number of letters that must be inserted, deleted, replaced or swapped with a neighbor to turn
    /// `first` into `second` (optimal string alignment); nil if more than `most`.
    private func difference(_ first: [UInt8], _ second: [UInt8], upTo most: Int) -> Int? {
        guard abs(first.count - second.count) <= most else { return nil }
        var before: [Int] = []
        var last = Array(0...second.count)
        for i in first.indices {
            var row = [i + 1]
            for j in second.indices {
                let isSame = first[i] == second[j]
                var least = min(last[j + 1] + 1, row[j] + 1, last[j] + (isSame ? 0 : 1))
                if i > 0, j > 0, first[i] == second[j - 1], first[i - 1] == second[j] {
                    least = min(least, before[j - 1] + 1)
                }
                row.append(least)
            }
            before = last
            last = row
        }
        return last[second.count] <= most ? last[second.count] : nil
    }
}
