import ArgumentParser
import QuakeModel
import QuakePlaces
import QuakeStore
import QuakeSystem

extension FilterVocabulary {
    /// The countries and states where quakes may happen, besides the regions of the cache.
    static var regions: [String] { Set(City.regions.flatMap(Region.names(ofPart:))).sorted() }
}

extension FilterOptions {
    /// Refuses a value of `--region` that is neither a country or state nor a region of the cache.
    func requireKnownRegions(in context: QuakeContext) throws {
        let names = regions.flatMap(NameList.names)
        guard !names.isEmpty else { return }
        let known = FilterVocabulary.regions
        let folded = Set(known.map(QuakeFilter.folded))
        for name in names {
            for region in Region.names(ofQuery: name) where !folded.contains(QuakeFilter.folded(region)) {
                // A cache without quakes knows no regions of its own, so it cannot tell a new one from a mistake.
                guard try context.fetchCount(QuakeFilter(regions: [region])) == 0,
                    try context.fetchCount(QuakeFilter()) > 0
                else { continue }
                let similar = Self.similar(to: region, among: Set(known).union(try context.regions().keys))
                throw ValidationError(
                    "There is no region \"\(TerminalText.sanitized(name))\", and no quake in the cache has it. "
                        + (similar.isEmpty
                            ? "--place \(TerminalText.sanitized(name).shellWord) searches place names."
                            : "Did you mean \(similar.joined(separator: ", "))?"))
            }
        }
    }

    /// The regions spelled most like `name`, at most three: first those that contain it.
    private static func similar(to name: String, among known: Set<String>) -> [String] {
        let wanted = QuakeFilter.folded(name)
        var names = known.filter { wanted.count > 2 && QuakeFilter.folded($0).contains(wanted) }.sorted()
        var rest = known.subtracting(names)
        while names.count < 3, let next = name.nearest(among: rest.sorted()) {
            names.append(next)
            rest.remove(next)
        }
        return names.prefix(3).map { TerminalText.sanitized($0) }
    }

    /// What `--region` finds where a text of `--place` is a region but finds other quakes: `--region California has
    /// 1,809`. Nil if there is nothing to say.
    func regionHint(for filter: QuakeFilter, in context: QuakeContext) throws -> String? {
        guard regions.isEmpty else { return nil }
        let count = try filter.placesContain.isEmpty ? 0 : context.fetchCount(filter)
        let hints = try filter.placesContain.sorted().flatMap { text in
            let words = text.trimming { $0 == " " || $0 == "," }
            return try Region.names(ofQuery: String(words)).compactMap { region in
                var whole = filter
                (whole.placesContain, whole.regions) = ([], [region])
                let inRegion = try context.fetchCount(whole)
                return inRegion == 0 || inRegion == count
                    ? nil : "--region \(TerminalText.sanitized(region).shellWord) has \(inRegion.grouped)"
            }
        }
        return hints.isEmpty ? nil : hints.joined(separator: ", ")
    }
}
