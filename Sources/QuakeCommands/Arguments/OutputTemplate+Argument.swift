import ArgumentParser
import QuakeFormats
import QuakeModel

/// Parses templates. `{{` and `}}` stand for braces; `\n`, `\t` and `\\` for a line break, a tab and a backslash. A
/// mistake throws a usage error.
extension OutputTemplate {
    static func forQuakes(_ text: String) throws -> OutputTemplate {
        try OutputTemplate(text, names: quakePlaceholders, listed: quakePlaceholders.map(\.name))
    }

    static func forChanges(_ text: String) throws -> OutputTemplate {
        let listed = changePlaceholders.map(\.name).filter { !$0.hasPrefix("before.") } + ["before.FIELD"]
        return try OutputTemplate(text, names: changePlaceholders, listed: listed)
    }

    private init(_ template: String, names: [Name], listed: [String]) throws {
        var pieces: [Segment] = []
        var text = ""
        var rest = Substring(template)
        while let character = rest.popFirst() {
            switch character {
            case "{" where rest.first == "{", "}" where rest.first == "}":
                text.append(character)
                rest.removeFirst()
            case "{":
                guard let end = rest.firstIndex(of: "}") else {
                    throw ValidationError("The template has an unmatched {. Write {{ for a literal brace.")
                }
                if !text.isEmpty { pieces.append(.text(text)) }
                text = ""
                pieces.append(try Self.value(rest[..<end].trimmingSpaces, names, listed))
                rest = rest[rest.index(after: end)...]
            case "}": throw ValidationError("The template has an unmatched }. Write }} for a literal brace.")
            case "\\": text.append(try Self.escaped(rest.popFirst()))
            default: text.append(character)
            }
        }
        if !text.isEmpty { pieces.append(.text(text)) }
        guard pieces.contains(where: { if case .value = $0 { true } else { false } }) else {
            throw ValidationError("The template has no placeholder; write one in single braces, such as {place}.")
        }
        self.init(pieces)
    }

    /// Returns the segment for the text between braces: `NAME` or `NAME:FORM`.
    private static func value(_ text: Substring, _ names: [Name], _ listed: [String]) throws -> Segment {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts[0].trimmingSpaces
        let isName = !name.isEmpty && name.allSatisfy { $0.isLetter || $0.isNumber || "._".contains($0) }
        let old = name.lowercased().hasPrefix("before.") ? "before." : ""
        let placeholder = try FieldName.find(
            old + QuakeField.ownName(name.dropFirst(old.count)), among: names, \.name, what: "placeholder", listed,
            hint: isName ? "" : " Write {{ for a literal brace."
        ).placeholder
        guard parts.count == 2 else { return .value(placeholder, .words) }
        let forms = Form.allCases.filter { $0 != .words }
        let form = try FieldName.find(parts[1].trimmingSpaces, among: forms, \.rawValue, what: "form")
        if form == .iso, !placeholder.isMoment { throw ValidationError("iso applies only to times, not to \(name).") }
        return .value(placeholder, form)
    }

    private static func escaped(_ letter: Character?) throws -> Character {
        switch letter {
        case "n": return "\n"
        case "t": return "\t"
        case "\\": return "\\"
        default: throw ValidationError("In a template, \\ must be followed by n, t or \\. Write \\\\ for a backslash.")
        }
    }
}

extension OutputTemplate.Placeholder {
    fileprivate var isMoment: Bool {
        switch self {
        case .field(let field): field.property?.kind == .time
        case .before(let property): property.kind == .time
        default: false
        }
    }
}
