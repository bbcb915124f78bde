import QuakeFormats
import QuakeModel
import QuakeSystem

/// The text for the placeholders of a quake: lengths with units, and times with zones. Empty without a value.
struct PlaceholderWords {
    let display: DisplayStyle
    let now: Timestamp
    private let cities = CityReader()

    init(_ style: OutputStyle) {
        display = style.display
        now = style.now ?? Timestamp.now
    }

    func value(of field: QuakeField, of quake: Quake) -> QuakeValue {
        display.value(of: field, of: quake, cities: cities)
    }

    /// Returns the text of `placeholder`, given the value of its field. If rounding would make it equal to the text of
    /// `other`, a different value of the field in the same line, the text has more digits.
    func text(
        _ placeholder: OutputTemplate.Placeholder, _ value: QuakeValue, as form: OutputTemplate.Form,
        toCompareWith other: QuakeValue? = nil
    ) -> String {
        switch (placeholder, value) {
        case (.age, .integer(let time)): form.text(ofWords: Timestamp(milliseconds: time).age(at: now))
        case (.headline, .text(let title)): form.text(ofWords: title.headline)
        case (.compass, .real(let degrees)): form.text(ofWords: CompassWord.of(degrees: degrees))
        case (.field(let field), _): text(field, value, as: form, toCompareWith: other)
        default: form.text(ofWords: nil)
        }
    }

    private func text(
        _ field: QuakeField, _ value: QuakeValue, as form: OutputTemplate.Form, toCompareWith other: QuakeValue?
    ) -> String {
        if field == .localTime { return form.text(ofWords: words(field, value)) }
        return switch form {
        case .words: words(field, value, toCompareWith: other)
        case .html: form.text(ofWords: words(field, value, toCompareWith: other))
        case .raw, .iso: value.flatText(of: field) ?? ""
        case .csv, .shell: form.text(ofWords: value.flatText(of: field))
        case .json: value.json(of: field)
        }
    }

    /// Returns the value of a field in words, with more digits if needed to distinguish it from `other`.
    private func words(_ field: QuakeField, _ value: QuakeValue, toCompareWith other: QuakeValue?) -> String {
        let rounded = words(field, value)
        guard let other, other != value, words(field, other) == rounded else { return rounded }
        return switch (field, value, other) {
        case (.property(.mag), .real(let magnitude), .real(let other)): PlainNumber.pair(magnitude, other)[0]
        case (.property(.depth), .real(let kilometers), .real(let other)):
            PlainNumber.pair(display.unit.amount(ofKilometers: kilometers), display.unit.amount(ofKilometers: other))[0]
                + " \(display.unit.rawValue)"
        case (.property(.time), .integer(let time), _), (.property(.updated), .integer(let time), _):
            display.timeZone.preciseWords(Timestamp(milliseconds: time))
        default: rounded
        }
    }

    private func words(_ field: QuakeField, _ value: QuakeValue) -> String {
        switch (field, value) {
        case (_, .null): ""
        case (.localTime, .integer(let time)): display.timeZone.secondWords(Timestamp(milliseconds: time))
        case (.property(.time), .integer(let time)), (.property(.updated), .integer(let time)):
            display.timeZone.words(Timestamp(milliseconds: time))
        case (.property(.mag), .real(let magnitude)): Quake.titleMagnitude(magnitude)
        case (.property(let property), .real(let kilometers)) where property.isLength:
            display.unit.lengthText(kilometers)
        case (.distance, .real(let kilometers)), (.nearestCityDistance, .real(let kilometers)):
            display.unit.distanceText(kilometers)
        case (.bearing, .real(let degrees)), (.nearestCityBearing, .real(let degrees)):
            "\(Int(degrees.rounded()) % 360)"
        case (.intensity, .real(let value)): IntensityLevel(nearestTo: value).description
        case (.property(let property), _): value.spokenSet(of: property) ?? value.words(of: property)
        default: value.words(of: .mag)
        }
    }
}

extension OutputTemplate.Form {
    /// Returns `words` in this form, quoted or escaped as needed. A missing value (nil) becomes `null` in JSON; in
    /// other forms, it counts as empty text.
    func text(ofWords words: String?) -> String {
        switch self {
        case .words, .raw, .iso: words ?? ""
        case .json: words.map { JSONText.quoted($0) } ?? "null"
        case .shell: (words ?? "").shellWord
        case .html: (words ?? "").escapedForHTML
        case .csv: words?.csvField() ?? ""
        }
    }
}

extension QuakeValue {
    /// Returns the value as in CSV, but never quoted; nil if it is missing.
    fileprivate func flatText(of field: QuakeField) -> String? {
        switch self {
        case .null: nil
        case .text(let text) where field.property?.traits.isSet == true:
            PublishedSet(text).members.joined(separator: " ")
        default: words(of: field.property ?? .mag)
        }
    }

    fileprivate func json(of field: QuakeField) -> String {
        switch self {
        case .null: "null"
        case .integer where field.property?.kind == .time:
            JSONText.quoted(words(of: field.property ?? .time))
        case .integer, .real: words(of: .mag)
        case .text(let text) where field.property == .extra: JSONText.onOneLine(text)
        case .text(let text) where field.property?.traits.isSet == true:
            "[\(PublishedSet(text).members.map { JSONText.quoted($0) }.joined(separator: ","))]"
        case .text(let text): JSONText.quoted(text)
        }
    }
}

extension String {
    /// The text, escaped for use between HTML tags or in a quoted attribute.
    fileprivate var escapedForHTML: String {
        replacing(["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;"])
    }
}
