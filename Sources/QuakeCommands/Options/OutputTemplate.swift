import ArgumentParser
import QuakeModel

/// A line of output with placeholders, such as `{mag} {place} ({age})`.
///
/// `{{` and `}}` are braces; `\n`, `\t` and `\\` are a line break, a tab and a backslash. A mistake is found when the
/// template is parsed, before anything runs.
struct OutputTemplate: Hashable, Sendable {
    /// What a placeholder stands for.
    enum Placeholder: Hashable, Sendable {
        case field(QuakeField)
        /// How long ago the quake happened: `8 min ago`.
        case age
        /// The title, without the dash before a missing place.
        case headline
        /// The bearing as a word: `NNW`.
        case compass
        /// A value before the change.
        case before(QuakeProperty)
        case change(ChangePart)

        /// The field that must be known.
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

    /// What a template can say about a change, apart from the quake.
    enum ChangePart: String, CaseIterable, Sendable {
        case op, reason, token, changed, what, differences
        case changeID = "change_id"
    }

    /// A piece of the line.
    enum Piece: Hashable, Sendable {
        case text(String)
        case value(Placeholder)
    }

    let pieces: [Piece]

    /// The fields that the placeholders need, each once.
    var fields: [QuakeField] {
        var fields: [QuakeField] = []
        for case .value(let placeholder) in pieces {
            if let field = placeholder.field, !fields.contains(field) { fields.append(field) }
        }
        return fields
    }

    /// The name of a placeholder that needs a reference point; nil if there is none.
    var relativeName: String? {
        for case .value(let placeholder) in pieces where placeholder.field?.isRelative == true {
            return placeholder == .compass ? "compass" : placeholder.field?.name
        }
        return nil
    }

    /// Parses a template for quakes.
    static func forQuakes(_ text: String) throws -> OutputTemplate {
        try OutputTemplate(text, names: quakeNames, listed: quakeNames.map(\.name))
    }

    /// Parses a template for changes.
    static func forChanges(_ text: String) throws -> OutputTemplate {
        let parts = ChangePart.allCases.map { Name(name: $0.rawValue, placeholder: .change($0)) }
        let before = QuakeProperty.allCases.map { Name(name: "before.\($0.rawValue)", placeholder: .before($0)) }
        return try OutputTemplate(
            text, names: quakeNames + parts + before, listed: (quakeNames + parts).map(\.name) + ["before.FIELD"])
    }

    /// The names of the placeholders for quakes.
    static var quakePlaceholders: [String] { quakeNames.map(\.name) }

    /// The names of the placeholders for changes.
    static var changePlaceholders: [String] {
        quakePlaceholders + ChangePart.allCases.map(\.rawValue) + QuakeProperty.allCases.map { "before.\($0.rawValue)" }
    }

    private typealias Name = (name: String, placeholder: Placeholder)

    private static var quakeNames: [Name] {
        QuakeField.all.map { Name(name: $0.name, placeholder: .field($0)) } + [
            Name(name: "age", placeholder: .age), Name(name: "headline", placeholder: .headline),
            Name(name: "compass", placeholder: .compass),
        ]
    }

    private init(_ template: String, names: [Name], listed: [String]) throws {
        guard !template.isEmpty else { throw ValidationError("--template needs a text.") }
        var pieces: [Piece] = []
        var text = ""
        var rest = Substring(template)
        while let character = rest.popFirst() {
            switch character {
            case "{" where rest.first == "{", "}" where rest.first == "}":
                text.append(character)
                rest.removeFirst()
            case "{":
                guard let end = rest.firstIndex(of: "}") else {
                    throw ValidationError("The template has a { without a }. Write {{ for a brace.")
                }
                if !text.isEmpty { pieces.append(.text(text)) }
                text = ""
                let name = rest[..<end].trimmingSpaces
                pieces.append(
                    .value(try FieldName.find(name, among: names, \.name, what: "placeholder", listed).placeholder))
                rest = rest[rest.index(after: end)...]
            case "}": throw ValidationError("The template has a } without a {. Write }} for a brace.")
            case "\\": text.append(try Self.escaped(rest.popFirst()))
            default: text.append(character)
            }
        }
        if !text.isEmpty { pieces.append(.text(text)) }
        self.pieces = pieces
    }

    private static func escaped(_ letter: Character?) throws -> Character {
        switch letter {
        case "n": return "\n"
        case "t": return "\t"
        case "\\": return "\\"
        default:
            throw ValidationError(
                "The template has a \\ before something else than n, t or \\. Write \\\\ for a backslash.")
        }
    }
}
