enum QuakeMLEventType {
    /// Returns the QuakeML event type for a type in the feeds, which may have underscores, capitals or no spaces;
    /// `other event` for an unknown type.
    static func word(forType type: String) -> String {
        let letters = letters(of: type)
        return others[letters] ?? words[letters] ?? "other event"
    }

    private static let words = Dictionary(uniqueKeysWithValues: list.map { (letters(of: $0), $0) })

    private static func letters(of type: String) -> String { type.lowercased().filter { !"_ ".contains($0) } }

    /// The closest QuakeML types for feed types that QuakeML lacks, keyed by feed type in lowercase without spaces.
    private static let others = [
        "eq": "earthquake", "quarry": "quarry blast", "meteor": "meteorite", "volcanicexplosion": "volcanic eruption",
    ]

    private static let list = [
        "not existing", "not reported", "earthquake", "anthropogenic event", "collapse", "cavity collapse",
        "mine collapse", "building collapse", "explosion", "accidental explosion", "chemical explosion",
        "controlled explosion", "experimental explosion", "industrial explosion", "mining explosion", "quarry blast",
        "road cut", "blasting levee", "nuclear explosion", "induced or triggered event", "rock burst",
        "reservoir loading", "fluid injection", "fluid extraction", "crash", "plane crash", "train crash",
        "boat crash", "other event", "atmospheric event", "sonic boom", "sonic blast", "acoustic noise", "thunder",
        "avalanche", "snow avalanche", "debris avalanche", "hydroacoustic event", "ice quake", "slide", "landslide",
        "rockslide", "meteorite", "volcanic eruption",
    ]
}
