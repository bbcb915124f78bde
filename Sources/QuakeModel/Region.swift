/// The region of a place: the part of its name after the last comma, or all of it, under the one name that the many
/// spellings of the feeds lead to. `14 km SE of Pāhala, Hawaii` lies in Hawaii; `4km NW of The Geysers, CA`, `Central
/// California` and `offshore Northern California` in California; `California-Nevada border region` in both.
///
/// ``RegionNames`` lists what no rule can tell.
package enum Region {
    /// The country that has the name of a state of the United States. Only the hypocenter tells which one a place means.
    package static let georgiaInTheCaucasus = "Georgia (country)"

    /// The regions that a place lies in: one, or both sides of a border; none if the name ends with a comma.
    package static func names(ofPlace place: String, longitude: Double) -> [String] {
        names(ofPart: lastPart(of: place, longitude: longitude))
    }

    /// The regions of a place as the output writes them: `California, Nevada`. No name of a region has a comma.
    package static func text(ofPlace place: String?, longitude: Double) -> String? {
        guard let place else { return nil }
        let names = names(ofPlace: place, longitude: longitude)
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }

    /// The part of a place's name after its last comma, where the longitude of a hypocenter tells the two Georgias apart.
    package static func lastPart(of place: String, longitude: Double) -> String {
        let part = lastPart(of: place)
        // Most places are told by one letter.
        guard longitude >= 0, part.utf8.contains(UInt8(ascii: "G")), part.contains("Georgia") else { return part }
        let names = names(ofPart: part)
        guard names.contains("Georgia") else { return part }
        return names == ["Georgia"] ? georgiaInTheCaucasus : part.replacing("Georgia", with: georgiaInTheCaucasus)
    }

    /// The part of a place's name after its last comma, without the spaces around it; all of it if there is no comma.
    package static func lastPart(of place: String) -> String {
        let bytes = place.utf8
        let start = bytes.lastIndex(of: UInt8(ascii: ",")).map(bytes.index(after:)) ?? bytes.startIndex
        return place[start...].split(separator: " ").joined(separator: " ")
    }

    /// The regions called by the last part of a place's name.
    package static func names(ofPart part: String) -> [String] {
        if let state = RegionNames.postalCodes[part] { return [state] }
        if let name = part.dropping(suffix: " border region") { return sides(of: name, separatedBy: "-") }
        if let name = part.dropping(suffix: " region") {
            return name.contains(" - ") ? sides(of: name, separatedBy: " - ") : names(ofPart: name)
        }
        if let name = part.dropping(suffix: " earthquake") { return names(ofPart: withoutYear(name)) }
        var words = part.split(separator: " ")
        while true {
            let name = words.joined(separator: " ")
            if let names = RegionNames.spellings[QuakeFilter.folded(name)] { return names }
            guard let rest = plainer(words) else {
                return name.isEmpty ? [] : [name.prefix(1).uppercased() + name.dropFirst()]
            }
            words = rest
        }
    }

    /// The regions that a person names: as ``names(ofPart:)``, and a postal code in lower case too.
    package static func names(ofQuery text: String) -> [String] {
        let part = lastPart(of: text)
        return RegionNames.postalCodes[part.uppercased()].map { [$0] } ?? names(ofPart: part)
    }

    /// The region that a person names only a part of: `Canada` for `Quebec` and `northern Quebec`. Nil for the name of a
    /// whole region.
    package static func whole(ofQuery text: String) -> String? {
        var words = lastPart(of: text).split(separator: " ")
        while true {
            let name = QuakeFilter.folded(words.joined(separator: " "))
            if RegionNames.ofParts.contains(name) { return RegionNames.spellings[name]?.first }
            guard RegionNames.spellings[name] == nil, let rest = plainer(words) else { return nil }
            words = rest
        }
    }

    /// Whether a person says where in the region, or near it: `Southern California`, `off the coast of Oregon`.
    package static func hasDirection(inQuery text: String) -> Bool {
        let words = lastPart(of: text).split(separator: " ")
        guard RegionNames.spellings[QuakeFilter.folded(words.joined(separator: " "))] == nil,
            let rest = plainer(words)
        else { return false }
        return words[0].lowercased() != "the" || hasDirection(inQuery: rest.joined(separator: " "))
    }

    /// The regions on the sides of a border.
    private static func sides(of name: String, separatedBy separator: String) -> [String] {
        var names: [String] = []
        for side in name.split(separator: separator) {
            for name in self.names(ofPart: String(side)) where !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// `The 1906 San Francisco` without article and year.
    private static func withoutYear(_ name: String) -> String {
        var words = name.split(separator: " ")[...]
        if words.count > 1, words.first?.lowercased() == "the" { words.removeFirst() }
        if words.count > 1, let year = words.first, year.utf8.count == 4, Int(year) != nil { words.removeFirst() }
        return words.joined(separator: " ")
    }

    /// `words` without the first words that only say where in the region, or near it, the place lies: `western`,
    /// `south of`, `off the coast of`. Nil if there are none.
    private static func plainer(_ words: [Substring]) -> [Substring]? {
        guard words.count > 1 else { return nil }
        let first = words[0].lowercased()
        if adjectives.contains(first) || first == "offshore" || first == "the" { return Array(words.dropFirst()) }
        if words.count > 2, directions.contains(first), words[1].lowercased() == "of" {
            return Array(words.dropFirst(2))
        }
        guard first == "off" || first == "near" else { return nil }
        let coast = words.dropFirst().drop {
            let word = $0.lowercased()
            return word == "the" || directions.contains(word) || adjectives.contains(word)
        }
        guard coast.count > 2, coast.prefix(2).map({ $0.lowercased() }) == ["coast", "of"] else { return nil }
        return Array(coast.dropFirst(2))
    }

    private static let directions: Set = [
        "north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest",
    ]
    private static let adjectives = Set(directions.map { $0 + "ern" } + ["central"])
}

extension Quake {
    /// The regions that the quake's place lies in, such as `California`; two for a place at a border.
    public var regions: [String] {
        place.map { Region.names(ofPlace: $0, longitude: hypocenter.longitude) } ?? []
    }
}

extension String {
    /// This text without `suffix`, whose case does not matter; nil if it does not end so, or is nothing else.
    fileprivate func dropping(suffix: String) -> String? {
        guard utf8.count > suffix.utf8.count, lowercased().hasSuffix(suffix) else { return nil }
        return String(dropLast(suffix.count))
    }
}
