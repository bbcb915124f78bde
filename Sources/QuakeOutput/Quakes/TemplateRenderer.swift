package import QuakeModel

/// Writes a line for each quake as a template describes it.
final class TemplateRenderer: QuakeRenderer {
    private let pieces: [OutputTemplate.Piece]
    private let fields: [QuakeField]
    let writer: ByteWriter
    private let words: PlaceholderWords

    init(_ template: OutputTemplate, writer: ByteWriter, style: OutputStyle) {
        pieces = template.pieces
        fields = template.fields
        self.writer = writer
        words = PlaceholderWords(style)
    }

    func row(_ field: (Int) -> FieldValue) throws(OutputError) {
        let values = Dictionary(
            uniqueKeysWithValues: fields.enumerated().map { ($1, QuakeValue(copying: field($0))) })
        for piece in pieces {
            switch piece {
            case .text(let text): writer.append(text)
            case .value(let placeholder):
                writer.append(sanitized: words.text(placeholder) { values[$0] ?? .null })
            }
        }
        writer.append(byte: UInt8(ascii: "\n"))
        try writer.flushIfFull()
    }
}

extension OutputTemplate {
    /// The rendering of quakes with this template.
    package var rendering: QuakeRendering {
        QuakeRendering(fields: fields) { TemplateRenderer(self, writer: $0, style: $1) }
    }
}

/// Writes a line for each change as a template describes it. Everything else, such as the next token, goes to standard
/// error.
final class ChangesTemplateRenderer: ChangesRenderer {
    private let template: OutputTemplate
    private let writer: ByteWriter
    private let remarks: StandardStream
    private let style: OutputStyle
    private let words: PlaceholderWords

    init(_ template: OutputTemplate, writer: ByteWriter, remarks: StandardStream, style: OutputStyle) {
        self.template = template
        self.writer = writer
        self.remarks = remarks
        self.style = style
        words = PlaceholderWords(style)
    }

    func write(_ event: HistoryEvent) throws(OutputError) {
        switch event {
        case .dropEverything(let fault):
            remarks.writeLine("quakes: The token cannot be used: \(fault.words). Every quake of the cache follows.")
        case .resync(let resynced): line(resynced.stored.quake, nil)
        case .change(let relevant):
            if let quake = relevant.change.after ?? relevant.change.before { line(quake, relevant) }
        case .end(let end):
            style.tokenAside?.append(
                "\(end.count.counted("change"))\(end.hasMore ? ", more follow" : ""); token \(end.token)\n")
        }
        try writer.flushIfFull()
    }

    func finish() throws(OutputError) {
        try writer.flush()
        try style.tokenAside?.flush()
    }

    private func line(_ quake: Quake, _ relevant: RelevantChange?) {
        for piece in template.pieces {
            switch piece {
            case .text(let text): writer.append(text)
            case .value(.before(let property)):
                let value = relevant?.change.before?[property] ?? .null
                writer.append(sanitized: words.text(.property(property), value))
            case .value(.change(let part)): writer.append(sanitized: text(part, relevant) ?? "")
            case .value(let placeholder):
                writer.append(sanitized: words.text(placeholder) { words.display.value(of: $0, of: quake) })
            }
        }
        writer.append(byte: UInt8(ascii: "\n"))
    }

    /// The part of a change; nil in a resync, apart from `op` and `reason`, which are as in the other formats.
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
        case .op: relevant.crossing.rawValue
        case .reason: relevant.change.reason.rawValue
        case .token: relevant.token?.description
        case .changeID: "\(relevant.change.id)"
        case .changed: relevant.change.changed.map(\.rawValue).joined(separator: ", ")
        case .what: told(relevant).word
        case .differences: told(relevant).details()
        }
    }

    private func told(_ relevant: RelevantChange) -> ChangeWords {
        ChangeWords(
            relevant.change, crossing: relevant.crossing, survivor: style.survivor(of: relevant.change),
            unit: style.display.unit)
    }
}

/// The text of the placeholders that tell about a quake. A missing value is empty.
///
/// Lengths have their unit and moments their zone, because a template has no header. Other numbers are plain.
struct PlaceholderWords {
    let display: DisplayStyle
    let usesEpochTime: Bool
    let now: Timestamp

    init(_ style: OutputStyle) {
        (display, usesEpochTime, now) = (style.display, style.usesEpochTime, style.now ?? Timestamp.now)
    }

    /// The text of `placeholder`, given the values of the fields.
    func text(_ placeholder: OutputTemplate.Placeholder, _ value: (QuakeField) -> QuakeValue) -> String {
        guard let field = placeholder.field else { return "" }
        let value = value(field)
        switch (placeholder, value) {
        case (.age, .integer(let time)): return Timestamp(milliseconds: time).age(at: now)
        case (.headline, .text(let title)): return title.headline
        case (.compass, .real(let degrees)): return CompassWord.of(degrees: degrees)
        default: return text(field, value)
        }
    }

    /// The value of a field.
    func text(_ field: QuakeField, _ value: QuakeValue) -> String {
        switch (field, value) {
        case (_, .null): return ""
        case (.property(.time), .integer(let time)), (.property(.updated), .integer(let time)):
            return usesEpochTime ? "\(time)" : display.time.words(Timestamp(milliseconds: time))
        case (.property(.mag), .real(let magnitude)):
            let text = PlainNumber.text(magnitude, decimals: 2)
            return text.contains(".") ? text : text + ".0"
        case (.property(.depth), .real(let kilometers)): return display.unit.length(kilometers, decimals: 1)
        case (.distance, .real(let kilometers)): return display.unit.distance(kilometers)
        case (.bearing, .real(let degrees)): return "\(Int(degrees.rounded()) % 360)"
        case (.property(let property), _): return value.spokenSet(of: property) ?? value.words(of: property)
        default: return value.words(of: .mag)
        }
    }
}

extension DisplayStyle {
    /// The value of `field` for `quake`.
    package func value(of field: QuakeField, of quake: Quake) -> QuakeValue {
        switch field {
        case .property(let property): quake[property]
        case .distance: QuakeValue(reference?.distance(to: quake.epicenter))
        case .bearing: QuakeValue(reference?.bearing(to: quake.epicenter))
        }
    }
}
