import ArgumentParser
import QuakeModel
import QuakeStore

/// The words that USGS is known to publish for the open sets of values.
enum FilterVocabulary {
    static let alerts = ["green", "yellow", "orange", "red", "pending"]
    static let statuses = ["automatic", "reviewed", "deleted"]
    static let types = [
        "earthquake", "quarry blast", "explosion", "ice quake", "other event", "mining explosion", "rock burst",
        "sonic boom", "landslide", "volcanic eruption", "chemical explosion", "nuclear explosion", "mine collapse",
        "acoustic noise", "experimental explosion", "induced or triggered event", "collapse", "rockslide",
        "snow avalanche", "building collapse", "meteorite", "accidental explosion", "anthropogenic event",
        "not reported",
    ]
    static let networks = [
        "ak", "at", "av", "ci", "hv", "ld", "mb", "nc", "nm", "nn", "ok", "pr", "pt", "se", "tx", "us", "uu", "uw",
    ]
    static let magnitudeTypes = [
        "fa", "ma", "mb", "mb_lg", "mblg", "mc", "md", "mdl", "me", "mh", "mi", "mint", "ml", "mlg", "mlr", "mlv", "ms",
        "ms_20", "mun", "mw", "mwb", "mwc", "mwp", "mwr", "mww",
    ]
}

extension FilterOptions {
    /// Refuses a value of `--region`, `--alert`, `--status`, `--type`, `--net` or `--magtype` that is neither known nor in
    /// the cache.
    func requireKnownValues(in context: QuakeContext) throws {
        try requireKnownRegions(in: context)
        try require(alerts, "alert level", FilterVocabulary.alerts, \.alerts, in: context)
        try require(statuses, "status", FilterVocabulary.statuses, \.statuses, in: context)
        try require(common.types, "type", FilterVocabulary.types, \.eventTypes, in: context)
        try require(networks, "network", FilterVocabulary.networks, \.networks, in: context)
        try require(magnitudeTypes, "magnitude type", FilterVocabulary.magnitudeTypes, \.magnitudeTypes, in: context)
    }

    private func require(
        _ values: [String], _ what: String, _ known: [String], _ set: WritableKeyPath<QuakeFilter, Set<String>>,
        in context: QuakeContext
    ) throws {
        for value in values.flatMap(NameList.names) where !known.contains(value.lowercased()) {
            var filter = QuakeFilter()
            filter[keyPath: set] = [value]
            // A cache without quakes knows no words of its own, so it cannot tell a new one from a mistake.
            guard try context.fetchCount(filter) == 0, try context.fetchCount(QuakeFilter()) > 0 else { continue }
            let word = value.lowercased()
            let containing = word.count < 4 ? nil : known.first { $0.contains(word) }
            let suggestion = containing ?? word.nearest(among: known.filter { $0.first == word.first })
            throw ValidationError(
                "There is no \(what) \"\(TerminalText.sanitized(value))\", and no quake in the cache has it. "
                    + (suggestion.map { "Did you mean \($0)?" } ?? "Known values: \(known.joined(separator: ", "))."))
        }
    }
}
