/// One possible reading of a typed name: a city's key, and the regions it may lie in.
struct CityInterpretation {
    let key: [UInt8]
    /// The numbers of the regions; nil for all.
    var regions: Set<Int>?

    func accepts(_ region: Int) -> Bool { regions?.contains(region) ?? true }

    /// Returns the possible readings of `text`, most likely first: a name, optionally with regions after it.
    static func interpretations(of text: String, regions: [Gazetteer.Region]) -> [CityInterpretation] {
        // No name is longer, even with its regions. The limit matters because every possible reading of the text is
        // looked up.
        guard text.utf8.count <= 200 else { return [] }
        var readings = [CityInterpretation(key: CityKey.key(of: text))]
        func numbers(_ key: [UInt8]) -> Set<Int> { Set(regions.indices.filter { regions[$0].keys.contains(key) }) }
        let parts = text.split(separator: ",").map { CityKey.key(of: $0) }.filter { !$0.isEmpty }
        if parts.count > 1 {
            let accepted = parts.dropFirst().map(numbers)
            readings.append(
                CityInterpretation(
                    key: parts[0], regions: accepted.dropFirst().reduce(accepted[0]) { $0.intersection($1) }))
        } else {
            let words = text.split { $0 == " " || $0 == "," }
            for count in words.indices.dropFirst() {
                let region = numbers(CityKey.key(of: words[count...].joined(separator: " ")))
                if !region.isEmpty {
                    readings.append(
                        CityInterpretation(
                            key: CityKey.key(of: words[..<count].joined(separator: " ")), regions: region))
                }
            }
        }
        return readings.filter { !$0.key.isEmpty }
    }
}
