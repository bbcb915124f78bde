import QuakeFormats
import QuakeModel

/// A line of output with placeholders, such as `{mag} {place} ({age})`.
struct OutputTemplate: Hashable, Sendable {
    /// The meaning of a placeholder.
    enum Placeholder: Hashable, Sendable {
        case field(QuakeField)
        /// The time since the quake happened: `8 min ago`.
        case age
        /// The title, without the dash before a missing place.
        case headline
        /// The bearing as a word: `NNW`.
        case compass
        /// A value before the change.
        case before(QuakeProperty)
        case change(ChangePart)

        /// The field that the placeholder needs; nil if it describes a change.
        var field: QuakeField? {
            switch self {
            case .field(let field): field
            case .age: .property(.time)
            case .headline: .property(.title)
            case .compass: .bearing
            case .before, .change: nil
            }
        }
    }

    /// The parts of a change that a template can contain, apart from the quake.
    enum ChangePart: String, CaseIterable, Sendable {
        case op, reason, token, changed, what, differences, changeID = "change_id"
    }

    /// The form in which the value of a placeholder is written.
    enum Form: String, CaseIterable, Sendable {
        /// For people.
        case words
        /// As in CSV, without quotes.
        case raw
        /// A moment as ISO 8601 in UTC.
        case iso
        /// A whole JSON value, as in JSON: a text with its quotes, a number, or null.
        case json
        /// A CSV field.
        case csv
        /// A single shell word.
        case shell
        /// For people, escaped for HTML.
        case html
    }

    enum Segment: Hashable, Sendable {
        case text(String)
        case value(Placeholder, Form)
    }

    typealias Name = (name: String, placeholder: Placeholder)

    static var quakePlaceholders: [Name] {
        QuakeField.all.map { Name($0.name, .field($0)) }
            + [Name("age", .age), Name("headline", .headline), Name("compass", .compass)]
    }

    static var changePlaceholders: [Name] {
        quakePlaceholders + ChangePart.allCases.map { Name($0.rawValue, .change($0)) }
            + QuakeProperty.allCases.map { Name("before.\($0.rawValue)", .before($0)) }
    }

    let pieces: [Segment]

    /// The fields that the placeholders need, without duplicates.
    var fields: [QuakeField] {
        var fields: [QuakeField] = []
        for case .value(let placeholder, _) in pieces {
            if let field = placeholder.field, !fields.contains(field) { fields.append(field) }
        }
        return fields
    }

    /// The name of a placeholder that needs a reference point; nil if none does.
    var relativeName: String? {
        for case .value(let placeholder, _) in pieces where placeholder.field?.isRelative == true {
            return placeholder == .compass ? "compass" : placeholder.field?.name
        }
        return nil
    }

    init(_ pieces: [Segment]) { self.pieces = pieces }
}

extension OutputTemplate {
    /// Writes a line with the texts that `text` returns for the placeholders.
    func writeLine(to writer: ByteWriter, _ text: (Placeholder, Form) -> String) {
        for piece in pieces {
            switch piece {
            case .text(let text): writer.append(text)
            case .value(let placeholder, let form): writer.append(sanitized: text(placeholder, form))
            }
        }
        writer.append(byte: UInt8(ascii: "\n"))
    }
}
