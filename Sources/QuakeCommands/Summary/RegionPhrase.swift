/// A region's name in a sentence: `in Greece`, `in the Banda Sea`, `on the Mid-Atlantic Ridge`.
enum RegionPhrase {
    private static let nounsWithArticle: Set = [
        "Islands", "Sea", "Ocean", "Republic", "Emirates", "Philippines", "Netherlands", "Bahamas", "Maldives",
        "Seychelles", "Comoros", "Gulf", "Strait", "Channel", "Peninsula", "Congo", "Kingdom", "Zone", "Passage",
        "Archipelago", "Junction", "Territories",
    ]
    private static let beginningsWithArticle = ["Gulf of ", "Sea of ", "Strait of ", "Bay of ", "District of "]
    private static let exceptions: Set = ["Rhode Island", "South Georgia and the South Sandwich Islands"]

    static func words(_ region: String) -> String {
        if exceptions.contains(region) { return "in \(region)" }
        let noun = region.split(separator: " ").last.map(String.init) ?? region
        switch noun {
        case "Ridge", "Rise": return "on the \(region)"
        case "Island": return "near \(region)"
        default:
            let hasArticle = nounsWithArticle.contains(noun) || beginningsWithArticle.contains(where: region.hasPrefix)
            return hasArticle ? "in the \(region)" : "in \(region)"
        }
    }
}
