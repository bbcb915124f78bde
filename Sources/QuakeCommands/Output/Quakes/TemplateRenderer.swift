import QuakeModel
import QuakeSystem

/// Writes a line for each quake according to a template.
final class TemplateRenderer: QuakeRenderer {
    private let template: OutputTemplate
    private let fields: [QuakeField]
    let writer: ByteWriter
    private let words: PlaceholderWords

    init(_ template: OutputTemplate, writer: ByteWriter, style: OutputStyle) {
        (self.template, self.writer) = (template, writer)
        fields = template.fields
        words = PlaceholderWords(style)
    }

    func row(_ field: (Int) -> FieldValue) throws(OutputError) {
        let values = Dictionary(uniqueKeysWithValues: fields.enumerated().map { ($1, QuakeValue(copying: field($0))) })
        template.writeLine(to: writer) { placeholder, form in
            words.text(placeholder, placeholder.field.flatMap { values[$0] } ?? .null, as: form)
        }
        try writer.flushIfFull()
    }
}

extension OutputTemplate {
    var rendering: QuakeRendering { QuakeRendering(fields: fields) { TemplateRenderer(self, writer: $0, style: $1) } }

    /// Writes a line with the texts that `text` returns for the placeholders.
    fileprivate func writeLine(to writer: ByteWriter, _ text: (Placeholder, Form) -> String) {
        for piece in pieces {
            switch piece {
            case .text(let text): writer.append(text)
            case .value(let placeholder, let form): writer.append(sanitized: text(placeholder, form))
            }
        }
        writer.append(byte: UInt8(ascii: "\n"))
    }
}

/// Writes a line for each change according to a template; everything else goes to standard error.
final class ChangesTemplateRenderer: ChangesRenderer {
    private let template: OutputTemplate
    private let writer: ByteWriter
    private let remarks: StandardStream
    private let style: OutputStyle
    private let texts: ChangeTexts

    init(_ template: OutputTemplate, writer: ByteWriter, remarks: StandardStream, style: OutputStyle) {
        (self.template, self.writer, self.remarks, self.style) = (template, writer, remarks, style)
        let compared = template.pieces.compactMap {
            if case .value(.before(let property), _) = $0 { property } else { nil }
        }
        texts = ChangeTexts(style, compared: Set(compared))
    }

    func write(_ event: HistoryEvent) throws(OutputError) {
        switch event {
        case .dropEverything(let fault):
            remarks.writeLine("quakes: The token cannot be used: \(fault.words). All quakes in the cache follow.")
        case .resync(let resynced): line(resynced.stored.quake, nil)
        case .change(let relevant):
            if let quake = relevant.change.after ?? relevant.change.before { line(quake, relevant) }
        case .end(let end): style.tokenAside?.append(end.aside)
        }
        try writer.flushIfFull()
    }

    func finish() throws(OutputError) {
        try writer.flush()
        try style.tokenAside?.flush()
    }

    private func line(_ quake: Quake, _ relevant: RelevantChange?) {
        template.writeLine(to: writer) { texts.text($0, as: $1, of: quake, relevant) }
    }
}

/// The text for placeholders of a change.
struct ChangeTexts {
    private let style: OutputStyle
    private let words: PlaceholderWords
    /// The properties whose values before a change appear in the same line.
    private let compared: Set<QuakeProperty>

    init(_ style: OutputStyle, compared: Set<QuakeProperty> = []) {
        (self.style, self.compared, words) = (style, compared, PlaceholderWords(style))
    }

    /// Returns the text of `placeholder` for `quake`, as it is after a change; in a resync, there is no change.
    func text(
        _ placeholder: OutputTemplate.Placeholder, as form: OutputTemplate.Form, of quake: Quake,
        _ relevant: RelevantChange?
    ) -> String {
        switch placeholder {
        case .before(let property):
            let value = relevant?.change.before?[property] ?? .null
            return words.text(.field(.property(property)), value, as: form, toCompareWith: quake[property])
        case .change(let part): return form.text(ofWords: text(part, relevant))
        case .field, .age, .headline, .compass:
            let value = placeholder.field.map { words.value(of: $0, of: quake) } ?? .null
            let property = placeholder.field?.property.flatMap { compared.contains($0) ? $0 : nil }
            let former = property.flatMap { relevant?.change.before?[$0] }
            return words.text(placeholder, value, as: form, toCompareWith: former)
        }
    }

    /// Returns the part of a change. In a resync, it is nil, except for `op`, `reason` and `what`.
    private func text(_ part: OutputTemplate.ChangePart, _ relevant: RelevantChange?) -> String? {
        guard let relevant else {
            return switch part {
            case .op: "insert"
            case .reason: "resync"
            case .what: "present"
            case .token, .changed, .differences, .changeID: nil
            }
        }
        return switch part {
        case .op: relevant.operation.rawValue
        case .reason: relevant.change.reason.rawValue
        case .token: relevant.token?.description
        case .changeID: "\(relevant.change.id)"
        case .changed: relevant.change.changed.map(\.rawValue).joined(separator: ", ")
        case .what: told(relevant).word
        case .differences: told(relevant).allDifferences
        }
    }

    private func told(_ relevant: RelevantChange) -> ChangeWords {
        ChangeWords(
            relevant.change, operation: relevant.operation, survivor: style.survivor(of: relevant.change),
            unit: style.display.unit)
    }
}

/// The text for placeholders of a quake: lengths with their unit, moments with their zone; empty without a value.
struct PlaceholderWords {
    let display: DisplayStyle
    let now: Timestamp
    private let cities = CityReader()

    init(_ style: OutputStyle) { (display, now) = (style.display, style.now ?? Timestamp.now) }

    func value(of field: QuakeField, of quake: Quake) -> QuakeValue {
        display.value(of: field, of: quake, cities: cities)
    }

    /// Returns the text of `placeholder`, given the value of its field. The text has more digits if rounding would hide
    /// a difference from `other`, a value of the same field in the same line.
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

    /// Returns the value of a field for people, distinguishable from `other`.
    private func words(_ field: QuakeField, _ value: QuakeValue, toCompareWith other: QuakeValue?) -> String {
        let rounded = words(field, value)
        guard let other, other != value, words(field, other) == rounded else { return rounded }
        return switch (field, value, other) {
        case (.property(.mag), .real(let magnitude), .real(let other)): PlainNumber.pair(magnitude, other)[0]
        case (.property(.depth), .real(let kilometers), .real(let other)):
            PlainNumber.pair(display.unit.amount(ofKilometers: kilometers), display.unit.amount(ofKilometers: other))[0]
                + " \(display.unit.rawValue)"
        case (.property(.time), .integer(let time), _), (.property(.updated), .integer(let time), _):
            display.time.preciseWords(Timestamp(milliseconds: time))
        default: rounded
        }
    }

    private func words(_ field: QuakeField, _ value: QuakeValue) -> String {
        switch (field, value) {
        case (_, .null): ""
        case (.localTime, .integer(let time)): display.time.secondWords(Timestamp(milliseconds: time))
        case (.property(.time), .integer(let time)), (.property(.updated), .integer(let time)):
            display.time.words(Timestamp(milliseconds: time))
        case (.property(.mag), .real(let magnitude)): Quake.titleMagnitude(magnitude)
        case (.property(.depth), .real(let kilometers)): display.unit.length(kilometers)
        case (.distance, .real(let kilometers)), (.nearestCityDistance, .real(let kilometers)):
            display.unit.distance(kilometers)
        case (.bearing, .real(let degrees)), (.nearestCityBearing, .real(let degrees)):
            "\(Int(degrees.rounded()) % 360)"
        case (.shaking, .real(let value)): ShakingLevel(nearestTo: value).description
        case (.property(let property), _): value.spokenSet(of: property) ?? value.words(of: property)
        default: value.words(of: .mag)
        }
    }
}

extension OutputTemplate.Form {
    /// Returns `words` as text in this form; nil for a missing value.
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
    /// Returns the value as in CSV, without quotes; nil if it is missing.
    fileprivate func flatText(of field: QuakeField) -> String? {
        switch self {
        case .null: nil
        case .text(let text) where field.property?.row.isSet == true: PublishedSet(text).members.joined(separator: " ")
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
        case .text(let text): JSONText.quoted(text)
        }
    }
}

extension String {
    /// The text escaped for use between HTML tags or in a quoted attribute.
    fileprivate var escapedForHTML: String {
        replacing(["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;"])
    }
}

extension DisplayStyle {
    /// Returns the value of `field` for `quake`. To find cities for many quakes, pass one reader for all of them.
    func value(of field: QuakeField, of quake: Quake, cities: CityReader? = nil) -> QuakeValue {
        let epicenter = quake.epicenter
        func city() -> Site? { (cities ?? CityReader()).reference(nearestTo: epicenter) }
        return switch field {
        case .property(let property): quake[property]
        case .distance: QuakeValue(sites.nearest(to: epicenter)?.distance(to: epicenter))
        case .bearing: QuakeValue(sites.nearest(to: epicenter)?.bearing(to: epicenter))
        case .shaking: QuakeValue(sites.nearest(to: epicenter)?.shaking(by: quake))
        case .site: QuakeValue(sites.nearest(to: epicenter)?.name)
        case .region: QuakeValue(Region.text(ofPlace: quake.place, longitude: epicenter.longitude))
        case .nearestCity: QuakeValue(city()?.name)
        case .nearestCityDistance: QuakeValue(city()?.distance(to: epicenter))
        case .nearestCityBearing: QuakeValue(city()?.bearing(to: epicenter))
        case .localTime: quake[.time]
        case .solved: .null
        }
    }
}
