import QuakeFormats
import QuakeModel

/// A line of output with placeholders, such as `{mag} {place} ({age})`.
struct OutputTemplate: Hashable, Sendable {
    /// The meaning of a placeholder.
    enum Placeholder: Hashable, Sendable {
        case field(QuakeField)
        /// The time since the quake happened: `8 min ago`.
        case age
        /// The title, without the dash at the end if there is no place.
        case headline
        /// The bearing as a word: `NNW`.
        case compass
        /// The old value of a changed property.
        case before(QuakeProperty)
        case change(ChangePart)

        /// The field from which the placeholder is computed; nil if it describes a change.
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

    /// The placeholders for facts about a change, in contrast to those for properties of the quake.
    enum ChangePart: String, CaseIterable, Sendable {
        case op, reason, token, changed, what, differences, changeID = "change_id"
    }

    /// The form in which the value of a placeholder is written.
    enum Form: String, CaseIterable, Sendable {
        /// In words for people, with units. This is the default.
        case words
        /// The value as in the `csv` format, but never quoted.
        case raw
        /// A time as ISO 8601 in UTC. Allowed only for times.
        case iso
        /// A JSON value, as in the `json` format: a quoted string, a number, or null.
        case json
        /// The raw value, quoted for CSV if necessary.
        case csv
        /// The raw value, quoted as a single word for a shell if necessary.
        case shell
        /// The same as `words`, escaped for HTML.
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

    /// The name of the first placeholder that needs a reference point; nil if none does.
    var relativeName: String? {
        for case .value(let placeholder, _) in pieces where placeholder.field?.isRelative == true {
            return placeholder == .compass ? "compass" : placeholder.field?.name
        }
        return nil
    }

    init(_ pieces: [Segment]) { self.pieces = pieces }
}

extension OutputTemplate {
    /// Writes a line in which `text` supplies the strings for the placeholders.
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
