/// Finds the region of a place: the part of the place name after the last comma, or all of the name if it has no comma.
/// The many spellings in the feeds map to one name. `14 km SE of Pāhala, Hawaii` lies in Hawaii;
/// `4km NW of The Geysers, CA`, `Central California` and `offshore Northern California` lie in California;
/// `California-Nevada border region` lies in California and Nevada.
///
/// ``RegionNames`` lists the names that cannot be derived from the text.
package enum Region {
    /// The country of Georgia. Only the longitude distinguishes a place there from a place in the U.S. state of
    /// Georgia.
    package static let georgiaInTheCaucasus = "Georgia (country)"

    /// Returns the regions of a place: one, two for a place at a border, or none if the name ends with a comma.
    package static func names(ofPlace place: String, longitude: Double) -> [String] {
        names(ofPart: partAfterLastComma(of: place, longitude: longitude))
    }

    /// Returns the regions of a place for output: `California, Nevada`. No region name contains a comma.
    package static func text(ofPlace place: String?, longitude: Double) -> String? {
        guard let place else { return nil }
        let names = names(ofPlace: place, longitude: longitude)
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }

    /// Returns the part of a place name after the last comma, using the longitude to distinguish the two Georgias.
    package static func partAfterLastComma(of place: String, longitude: Double) -> String {
        let part = partAfterLastComma(of: place)
        // Most names contain no G, so the slower search is rarely needed.
        guard longitude >= 0, part.utf8.contains(UInt8(ascii: "G")), part.contains("Georgia") else { return part }
        let names = names(ofPart: part)
        guard names.contains("Georgia") else { return part }
        return names == ["Georgia"] ? georgiaInTheCaucasus : part.replacing("Georgia", with: georgiaInTheCaucasus)
    }

    /// Returns the part of a place name after the last comma, or the whole name if it has no comma, without superfluous
    /// spaces.
    package static func partAfterLastComma(of place: String) -> String {
        let bytes = place.utf8
        let start = bytes.lastIndex(of: UInt8(ascii: ",")).map(bytes.index(after:)) ?? bytes.startIndex
        return place[start...].split(separator: " ").joined(separator: " ")
    }

    /// Returns the regions for the last part of a place name.
    package static func names(ofPart part: String) -> [String] {
        if let state = RegionNames.postalCodes[part] { return [state] }
        if let name = part.dropping(suffix: " border region") { return sides(of: name, separatedBy: "-") }
        if let name = part.dropping(suffix: " region") {
            return name.contains(" - ") ? sides(of: name, separatedBy: " - ") : names(ofPart: name)
        }
        if let name = part.dropping(suffix: " earthquake") { return names(ofPart: withoutYear(name)) }
        var name = ""
        for words in sequence(first: part.split(separator: " "), next: withoutLeadingDescription) {
            name = words.joined(separator: " ")
            if let names = RegionNames.spellings[TextFolding.folded(name)] { return names }
        }
        return name.isEmpty ? [] : [name.prefix(1).uppercased() + name.dropFirst()]
    }

    /// Returns the regions that a user's query names. Unlike ``names(ofPart:)``, also accepts lowercase postal codes.
    package static func names(ofQuery text: String) -> [String] {
        let part = partAfterLastComma(of: text)
        return RegionNames.postalCodes[part.uppercased()].map { [$0] } ?? names(ofPart: part)
    }

    /// Returns the region to which the province or island in a query belongs: `Canada` for `Quebec` and
    /// `northern Quebec`; nil for any other text.
    package static func wholeRegion(ofQuery text: String) -> String? {
        let forms = sequence(first: partAfterLastComma(of: text).split(separator: " "), next: withoutLeadingDescription)
        let names = forms.lazy.map { TextFolding.folded($0.joined(separator: " ")) }
        guard let known = names.first(where: { RegionNames.spellings[$0] != nil }) else { return nil }
        return RegionNames.ofParts.contains(known) ? RegionNames.spellings[known]?.first : nil
    }

    /// Whether a query names a side of a region or a location near it: `Southern California`,
    /// `off the coast of Oregon`.
    package static func hasDirection(inQuery text: String) -> Bool {
        let words = partAfterLastComma(of: text).split(separator: " ")
        guard RegionNames.spellings[TextFolding.folded(words.joined(separator: " "))] == nil,
            let rest = withoutLeadingDescription(words)
        else { return false }
        return words[0].lowercased() != "the" || hasDirection(inQuery: rest.joined(separator: " "))
    }

    /// Returns the regions on both sides of a border.
    private static func sides(of name: String, separatedBy separator: String) -> [String] {
        var names: [String] = []
        for side in name.split(separator: separator) {
            for name in self.names(ofPart: String(side)) where !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// Removes the article and the year from a name such as `The 1906 San Francisco`.
    private static func withoutYear(_ name: String) -> String {
        var words = name.split(separator: " ")[...]
        if words.count > 1, words.first?.lowercased() == "the" { words.removeFirst() }
        if words.count > 1, let year = words.first, year.utf8.count == 4, Int(year) != nil { words.removeFirst() }
        return words.joined(separator: " ")
    }

    /// Returns `words` without leading words that only describe a location in or near the region, such as `western`,
    /// `south of` or `off the coast of`; nil if there are no such words.
    private static func withoutLeadingDescription(_ words: [Substring]) -> [Substring]? {
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

extension String {
    /// Returns this text without `suffix`, ignoring case; nil if it does not end with `suffix` or nothing remains.
    fileprivate func dropping(suffix: String) -> String? {
        guard utf8.count > suffix.utf8.count, lowercased().hasSuffix(suffix) else { return nil }
        return String(dropLast(suffix.count))
    }
}
