import ArgumentParser
import QuakeModel

extension FieldList {
    /// Parses field names, ignoring case, or throws an error that explains what is wrong.
    static func parse(_ text: String) throws -> FieldList {
        if text.trimmingSpaces.lowercased() == "all" { return FieldList(fields: nil) }
        if text.trimmingSpaces.lowercased() == "usgs" { return .usgs }
        var fields: [QuakeField] = []
        for name in text.split(separator: ",", omittingEmptySubsequences: false) {
            let field = try QuakeField.named(name.trimmingSpaces)
            guard !fields.contains(field) else { throw ValidationError("\(field.name) is listed twice.") }
            fields.append(field)
        }
        return FieldList(fields: fields)
    }
}

extension QuakeField {
    /// Our field names, keyed by lowercase names from the USGS CSV feeds and common usage.
    private static let familiar: [String: String] = zip(FieldList.usgs.headings ?? [], FieldList.usgs.fields ?? [])
        .reduce(into: ["azimuth": bearing.name, "magnitude": "mag"]) { $0[$1.0.lowercased()] = $1.1.name }

    /// Returns the field called `name`, ignoring case.
    static func named(_ name: some StringProtocol) throws -> QuakeField {
        if let property = QuakeProperty(rawValue: String(name)) { return .property(property) }
        return try FieldName.find(name, among: all, \.name, familiar: familiar)
    }
}

extension QuakeProperty {
    /// Returns the property called `name`, ignoring case.
    static func named(_ name: some StringProtocol) throws -> QuakeProperty {
        try QuakeProperty(rawValue: String(name)) ?? FieldName.find(name, among: allCases, \.rawValue)
    }
}
