import QuakeModel

// Times, values and columns in reports for people.

extension Range<Timestamp> {
    /// Both ends: `2021-07-15 to 2021-07-22` if the range is two days or longer, otherwise with hours, minutes and
    /// seconds.
    var words: String {
        let isLong = upperBound - lowerBound >= .seconds(2 * 86_400)
        return isLong
            ? "\(lowerBound.dayWords) to \(upperBound.dayWords)"
            : "\(lowerBound.secondWords) to \(upperBound.secondWords)"
    }
}

extension HistoryTransaction {
    /// The publication time of the document: `source published 2021-07-22 20:39:44 UTC`, or `not from a feed`.
    var publishedWords: String {
        provenance?.generated.map { "source published \($0.momentWords)" } ?? "not from a feed"
    }
}

extension Quake {
    var headline: String { title.headline }
}

extension QuakeValue {
    func words(of property: QuakeProperty) -> String {
        switch self {
        case .null: "none"
        case .integer(let value):
            property.kind == .time ? Timestamp(milliseconds: value).iso8601 : String(value)
        case .real(let value): PlainNumber.text(value)
        case .text(let text): text
        }
    }

    /// Returns the value in words: a number with its unit, a moment with its age, a set such as `us, ci` without the
    /// commas at both ends.
    func spokenWords(of property: QuakeProperty, now: Timestamp?, display: DisplayStyle = DisplayStyle())
        -> String
    {
        switch (property, self) {
        case (.time, .integer(let value)), (.updated, .integer(let value)):
            let moment = Timestamp(milliseconds: value)
            let age = now.flatMap { $0 < moment ? nil : ", \(($0 - moment).words) ago" } ?? ""
            return display.timeZone.words(moment) + age
        case (_, .real(let value)) where property.isLength: return display.unit.lengthText(value)
        case (.mag, .real(let magnitude)): return Quake.titleMagnitude(magnitude)
        case (.felt, .integer(let count)): return count.grouped
        case (.title, .text(let title)): return title.headline
        case (_, .real): return words(of: property) + "\(property.traits.unit)"
        default: return spokenSet(of: property) ?? words(of: property)
        }
    }

    /// Returns the value of a set-valued property without the commas at both ends; nil for other properties.
    func spokenSet(of property: QuakeProperty) -> String? {
        guard property.traits.isSet else { return nil }
        return textValue.map { $0.split(separator: ",").joined(separator: ", ") }
    }
}

extension String {
    /// The title, without the dash at the end if there is no place.
    var headline: String { hasSuffix(" - ") ? String(dropLast(3)) : self }

    /// Returns the text followed by spaces up to `width` characters, but at least one space.
    func padding(to width: Int) -> String { self + String(repeating: " ", count: max(1, width - count)) }
}
