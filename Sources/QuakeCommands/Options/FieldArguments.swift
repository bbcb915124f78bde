import ArgumentParser
import QuakeModel

/// The fields to print, in the order given: `time,mag,place`, or `all`.
struct FieldList: Hashable, Sendable {
    /// The fields; nil for all of them.
    var fields: [QuakeField]?

    /// Parses `text`, or throws an error that says what is wrong with it. The case of names does not matter.
    static func parse(_ text: String) throws -> FieldList {
        if text.trimmingSpaces.lowercased() == "all" { return FieldList(fields: nil) }
        var fields: [QuakeField] = []
        for name in text.split(separator: ",", omittingEmptySubsequences: false) {
            let field = try QuakeField.named(name.trimmingSpaces)
            guard !fields.contains(field) else {
                throw ValidationError("\(field.name) is named twice.")
            }
            fields.append(field)
        }
        return FieldList(fields: fields)
    }

    /// The fields, given where distances are measured from: `all` includes them if the command line names a point.
    func fields(reference: ReferencePoint?) -> [QuakeField] {
        fields ?? QuakeField.properties + (reference?.isOnCommandLine == true ? QuakeField.relative : [])
    }
}

extension QuakeProperty {
    /// The property called `name`; the case does not matter.
    static func named(_ name: some StringProtocol) throws -> QuakeProperty {
        try QuakeProperty(rawValue: String(name)) ?? FieldName.find(name, among: allCases, \.rawValue)
    }
}

/// The fields for `--changed`: names, or groups of names (`source`, `impact`, `bookkeeping`).
struct ChangedFieldSet: Hashable, Sendable {
    var properties: Set<QuakeProperty>

    /// Parses names and groups that are separated by commas, or throws an error that says what is wrong.
    static func parse(_ text: String) throws -> ChangedFieldSet {
        var properties: Set<QuakeProperty> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let name = part.trimmingSpaces
            if let group = QuakeProperty.Group(rawValue: name.lowercased()) {
                properties.formUnion(group.properties)
            } else {
                let property = try QuakeProperty.named(name)
                guard !property.isDerived else {
                    throw ValidationError(
                        "\(property.rawValue) is derived from other fields and is never listed as changed.")
                }
                properties.insert(property)
            }
        }
        return ChangedFieldSet(properties: properties)
    }
}
