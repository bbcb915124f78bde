import ArgumentParser
import QuakeFormats
import QuakeModel

extension FieldList {
    /// Parses comma-separated field names, ignoring case. Throws an error that says what is wrong.
    static func parse(_ text: String) throws -> FieldList {
        if text.trimmingSpaces.lowercased() == "all" { return FieldList(fields: nil) }
        if text.trimmingSpaces.lowercased() == "usgs" { return .usgs }
        var fields: [QuakeField] = []
        for name in try FieldName.list(text) {
            guard !["all", "usgs"].contains(name.lowercased()) else {
                throw ValidationError("\(name) stands for several fields and cannot be combined with others.")
            }
            let field = try QuakeField.named(name)
            guard !fields.contains(field) else { throw ValidationError("\(field.name) is listed twice.") }
            fields.append(field)
        }
        return FieldList(fields: fields)
    }
}

extension QuakeField {
    /// The fields, keyed by other names in lowercase: the column names of the USGS CSV feeds, and `magnitude`.
    private static let familiar: [String: QuakeField] = zip(FieldList.usgs.headings ?? [], FieldList.usgs.fields ?? [])
        .reduce(into: ["magnitude": .property(.mag)]) { $0[$1.0.lowercased()] = $1.1 }

    /// Returns the name of the field that is also called `name`; for all other text, `name` itself.
    static func ownName(_ name: some StringProtocol) -> String { familiar[name.lowercased()]?.name ?? String(name) }

    /// Returns the field called `name`, ignoring case.
    static func named(_ name: some StringProtocol) throws -> QuakeField {
        if let property = QuakeProperty(rawValue: String(name)) { return .property(property) }
        return try familiar[name.lowercased()] ?? FieldName.find(name, among: all, \.name)
    }
}

extension QuakeProperty {
    /// Returns the property called `name`, ignoring case, for an option that accepts groups, too.
    static func named(_ name: some StringProtocol) throws -> QuakeProperty {
        let groups = Group.allCases.map(\.rawValue).joined(separator: ", ")
        return try QuakeProperty(rawValue: String(name))
            ?? FieldName.find(
                QuakeField.ownName(name), among: allCases, \.rawValue, hint: " The groups are: \(groups).")
    }
}
