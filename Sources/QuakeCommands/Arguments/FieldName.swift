import ArgumentParser
import QuakeModel

enum FieldName {
    /// Returns the names in a comma-separated list. Throws a usage error if one of them is empty.
    static func list(_ text: String) throws -> [Substring] {
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmingSpaces)
        guard !names.contains("") else { throw ValidationError("A field name is missing before or after a comma.") }
        return names
    }

    /// Returns the field called `name`, ignoring case. Throws an error that suggests a similar name and lists the valid
    /// ones.
    static func find<Field>(
        _ name: some StringProtocol, among fields: [Field], _ nameOf: (Field) -> String, what: String = "field",
        _ listed: [String]? = nil, hint: String = ""
    ) throws -> Field {
        let lowercased = name.lowercased()
        if let field = fields.first(where: { nameOf($0).lowercased() == lowercased }) { return field }
        let names = listed ?? fields.map(nameOf)
        // A word of four letters, such as size, is too short for a good guess.
        let nearest = name.count > 4 ? String(name).nearest(among: names) : nil
        let advice = nearest.map { " Did you mean \($0)?" } ?? ""
        throw ValidationError(
            "There is no \(what) \"\(TerminalText.sanitized(String(name)))\".\(advice)\(hint) The \(what)s are: "
                + "\(names.joined(separator: ", ")).")
    }
}
