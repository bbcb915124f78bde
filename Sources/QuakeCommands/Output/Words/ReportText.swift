import Glibc
package import QuakeModel

// How reports for people write counts, sizes, durations, moments and columns.

extension BinaryInteger {
    /// A number of bytes in a suitable unit: `812 bytes`, `76 KiB`, `1.8 MiB`.
    package var byteWords: String {
        guard self >= 1024 else { return counted("byte") }
        var (size, units) = (Double(self) / 1024, ["KiB", "MiB", "GiB", "TiB"])
        while size >= 1024, units.count > 1 { (size, units) = (size / 1024, Array(units.dropFirst())) }
        let (whole, tenth) = Int((size * 10).rounded()).quotientAndRemainder(dividingBy: 10)
        return "\(whole)\(size < 10 && tenth > 0 ? ".\(tenth)" : "") \(units[0])"
    }
}

extension Range<Timestamp> {
    /// Both ends, to the day where that tells them apart, otherwise to the second.
    package var words: String {
        let isLong = upperBound - lowerBound >= .seconds(2 * 86_400)
        return isLong
            ? "\(lowerBound.dayWords) to \(upperBound.dayWords)"
            : "\(lowerBound.secondWords) to \(upperBound.secondWords)"
    }
}

extension Quake {
    package var headline: String { title.headline }
}

extension String {
    /// A title without the dash before a place that is missing.
    package var headline: String { hasSuffix(" - ") ? String(dropLast(3)) : self }
}

extension QuakeValue {
    package func words(of property: QuakeProperty) -> String {
        switch self {
        case .null: "none"
        case .integer(let value):
            property.kind == .time ? Timestamp(milliseconds: value).iso8601 : String(value)
        case .real(let value): PlainNumber.text(value)
        case .text(let text): text
        }
    }

    /// The value as a person writes it: with its unit, a moment with its age, a set without the commas around it.
    package func spokenWords(of property: QuakeProperty, now: Timestamp?, display: DisplayStyle = DisplayStyle())
        -> String
    {
        switch (property, self) {
        case (.time, .integer(let value)), (.updated, .integer(let value)):
            let moment = Timestamp(milliseconds: value)
            let age = now.flatMap { $0 < moment ? nil : ", \(($0 - moment).words) ago" } ?? ""
            return display.time.words(moment) + age
        case (.depth, .real(let value)): return display.unit.length(value)
        case (.mag, .real(let magnitude)): return Quake.titleMagnitude(magnitude)
        case (.felt, .integer(let count)): return count.grouped
        case (.title, .text(let title)): return title.headline
        case (_, .real): return words(of: property) + "\(property.row.unit)"
        default: return spokenSet(of: property) ?? words(of: property)
        }
    }

    /// A set without the commas around it; nil for the other properties.
    func spokenSet(of property: QuakeProperty) -> String? {
        guard property.row.isSet else { return nil }
        return textValue.map { $0.split(separator: ",").joined(separator: ", ") }
    }
}

extension String {
    /// The text followed by spaces up to `width` characters, at least one, so that columns never touch.
    package func padding(to width: Int) -> String { self + String(repeating: " ", count: max(1, width - count)) }
}
