import ArgumentParser
import QuakeStore
import QuakeSystem

extension FilterOptions {
    /// Throws for a value of a closed vocabulary (``FilterVocabulary``) that is neither known nor in the cache.
    ///
    /// - Parameter context: The cache; nil if there is none yet.
    /// - Returns: A remark on values of open vocabularies that are neither known nor in the cache; nil if there are
    ///   none.
    func checkValues(in context: QuakeContext?) throws -> String? {
        try requireKnownRegions(in: context)
        let closed: [Words] = [
            Words("alert level", Self.words(alerts), \.alerts, FilterVocabulary.alerts),
            Words("status", Self.words(statuses), \.statuses, FilterVocabulary.statuses),
            Words("type", Self.words(common.types), \.eventTypes, FilterVocabulary.types),
        ]
        for words in closed {
            guard let value = try words.unknown(in: context).first else { continue }
            let similar = value.alike(among: words.known)
            throw ValidationError(
                "Unknown \(words.noun) \"\(TerminalText.sanitized(value))\": no quake in the cache has it. "
                    + (similar.isEmpty ? "Known values: \(words.known.joined(separator: ", "))." : similar.question))
        }
        let open: [Words] = [
            Words("the network", Self.words(networks), \.networks, FilterVocabulary.networks),
            Words("the magnitude type", Self.words(magnitudeTypes), \.magnitudeTypes, FilterVocabulary.magnitudeTypes),
            Words("a place name with", places.flatMap(Self.placeTexts), \.placesContain, []),
        ]
        let unknown = try open.flatMap { words in
            try words.unknown(in: context).map { value in
                let similar = value.alike(among: words.known)
                return "\(words.noun) \"\(TerminalText.sanitized(value))\""
                    + (similar.isEmpty ? "" : " (did you mean \(similar.alternatives)?)")
            }
        }
        return unknown.isEmpty ? nil : "no quake in the cache has \(unknown.joined(separator: " or "))"
    }

    /// Returns the values of an option, without the `!` of excluded values.
    private static func words(_ values: [[String]]) -> [String] {
        values.joined().map { $0.hasPrefix("!") ? String($0.dropFirst()) : $0 }
    }

    /// The values given for a filter, and those known for it.
    private struct Words {
        let noun: String
        let values: [String]
        let member: WritableKeyPath<QuakeFilter, Set<String>>
        let known: [String]

        init(
            _ noun: String, _ values: [String], _ member: WritableKeyPath<QuakeFilter, Set<String>>, _ known: [String]
        ) {
            self.noun = noun
            self.values = values
            self.member = member
            self.known = known
        }

        /// Returns the given values that are neither known nor in the cache.
        func unknown(in context: QuakeContext?) throws -> [String] {
            let folded = known.map(TextFolding.foldedWord)
            return try values.filter { value in
                guard !folded.contains(TextFolding.foldedWord(value)) else { return false }
                guard let context else { return true }
                var filter = QuakeFilter()
                filter[keyPath: member] = [value]
                return try context.fetchCount(filter) == 0
            }
        }
    }

    /// Throws for a value of `--region` that is only a part of a region.
    func requireWholeRegions() throws {
        for name in regionNames {
            let part = name.lowercased().hasSuffix(" region") ? String(name.dropLast(7)) : name
            if Region.hasDirection(inQuery: part),
                let whole = FilterVocabulary.region(among: Region.names(ofQuery: part))
            {
                throw ValidationError(
                    "\"\(TerminalText.sanitized(name))\" is only part of the region \(whole). Use --region "
                        + "\(whole.shellWord) for the whole region, --bbox or --near for part of it, or --place "
                        + "\(TerminalText.sanitized(name).shellWord) to search place names.")
            }
            guard let whole = Region.wholeRegion(ofQuery: part) else { continue }
            throw ValidationError(
                "\"\(TerminalText.sanitized(name))\" is part of \(whole), and USGS place names mostly say just "
                    + "\"\(whole)\". Use --region \(whole.shellWord), or --bbox or --near for a part of it.")
        }
    }

    /// Throws for a value of `--region` that is neither a country or state nor a region in the cache.
    private func requireKnownRegions(in context: QuakeContext?) throws {
        let names = regionNames
        guard !names.isEmpty else { return }
        let known = FilterVocabulary.regions
        let folded = Set(known.map(TextFolding.folded))
        for name in names {
            for region in Region.names(ofQuery: name) where !folded.contains(TextFolding.folded(region)) {
                guard try context?.fetchCount(QuakeFilter(regions: [region])) ?? 0 == 0 else { continue }
                if Self.namesOfTheUnitedStates.contains(TextFolding.folded(name)) {
                    throw ValidationError(
                        "There is no region for the whole United States; its quakes are listed by state. "
                            + "Use --bbox W,S,E,N.")
                }
                let cached = try context.map { try Array($0.regions().keys) } ?? []
                let similar = region.alike(among: Set(known + cached).sorted())
                // Short text also occurs inside other names, such as `NZ` in `Anza`.
                let isShort = name.count(where: \.isLetter) < 4
                let places = try isShort ? 0 : context?.fetchCount(QuakeFilter(placesContain: [name])) ?? 0
                let other =
                    places > 0
                    ? "--place \(TerminalText.sanitized(name).shellWord) finds \(places.counted("quake"))."
                    : "--bbox W,S,E,N selects any part of the Earth."
                throw ValidationError(
                    "There is no region \"\(TerminalText.sanitized(name))\""
                        + (places > 0 || isShort ? ". " : ", and no place name in the cache contains this text. ")
                        + (similar.isEmpty ? other : similar.question))
            }
        }
    }

    private static let namesOfTheUnitedStates: Set = [
        "us", "usa", "u.s.", "u.s.a.", "united states", "united states of america", "america",
    ]

    /// Returns a hint if a value of `--place` is also a region with a different number of quakes, or if
    /// `--region Georgia` (the U.S. state) leaves out quakes in the country of that name; otherwise nil.
    func regionHint(for filter: QuakeFilter, in context: QuakeContext) throws -> String? {
        func count(in region: String) throws -> Int {
            var whole = filter
            whole.placesContain = []
            whole.regions = [region]
            return try context.fetchCount(whole)
        }
        let caucasus = Region.georgiaInTheCaucasus
        guard regions.isEmpty else {
            guard filter.regions.contains("Georgia"), !filter.regions.contains(caucasus) else { return nil }
            let others = try count(in: caucasus)
            return others == 0
                ? nil
                : "Georgia here means the U.S. state; --region \(caucasus.shellWord) finds \(others.counted("quake"))"
        }
        let found = try filter.placesContain.isEmpty ? 0 : context.fetchCount(filter)
        let hints = try filter.placesContain.sorted().flatMap { text in
            let words = text.trimming { $0 == " " || $0 == "," }
            guard Region.wholeRegion(ofQuery: String(words)) == nil else { return [String]() }
            return try Region.names(ofQuery: String(words)).compactMap { region in
                let inRegion = try count(in: region)
                return inRegion == 0 || inRegion == found
                    ? nil
                    : "--place searches place names; --region \(TerminalText.sanitized(region).shellWord) finds "
                        + "all \(inRegion.counted("quake")) in the region"
            }
        }
        return hints.isEmpty ? nil : hints.joined(separator: "; ")
    }
}

extension [String] {
    /// A question that suggests these words.
    fileprivate var question: String { "Did you mean \(alternatives)?" }

    /// These words as alternatives: `A, B or C`.
    fileprivate var alternatives: String {
        let words = map { TerminalText.sanitized($0) }
        return words.count < 2 ? words.joined() : words.dropLast().joined(separator: ", ") + " or " + words[count - 1]
    }
}
