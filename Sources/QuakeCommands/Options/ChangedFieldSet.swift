import ArgumentParser
import QuakeModel

/// The properties whose change matters to a user: names, or groups of them (`source`, `impact`, `bookkeeping`).
struct ChangedFieldSet: Hashable, Sendable {
    var properties: Set<QuakeProperty>

    /// Reads names and groups with commas between them, or says what is wrong.
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
                        "\(property.rawValue) follows from other fields and is never named as changed.")
                }
                properties.insert(property)
            }
        }
        return ChangedFieldSet(properties: properties)
    }
}
