import ArgumentParser
import QuakeFormats
import QuakeModel

/// The value of `--changed`: fields, groups of fields (`source`, `impact`, `bookkeeping`) and magnitude steps
/// (`mag+0.3`).
struct ChangedFieldSet: Hashable, Sendable {
    var properties: Set<QuakeProperty> = []
    /// The minimum changes in magnitude: positive for an increase, negative for a decrease.
    var magnitudeSteps: Set<Double> = []

    /// Parses comma-separated fields, groups and magnitude steps. Throws an error that says what is wrong.
    static func parse(_ text: String) throws -> ChangedFieldSet {
        var set = ChangedFieldSet()
        for name in try FieldName.list(text) {
            if let group = QuakeProperty.Group(rawValue: name.lowercased()) {
                set.properties.formUnion(group.properties)
            } else if name.lowercased() == QuakeProperty.id.rawValue {
                // The preferred id consists of the network and the code.
                set.properties.formUnion([.net, .code])
            } else if let change = name.lowercased().wholeMatch(of: /([a-z_]+)([+-].*)/)?.output {
                guard QuakeField.ownName(change.1) == "mag" else {
                    throw ValidationError("Only mag takes a minimum change, as in mag+0.3.")
                }
                guard let step = try FiniteNumber.find(change.2), step != 0 else {
                    throw ValidationError("Write the change in magnitude as a number, as in mag+0.3 or mag-0.3.")
                }
                set.magnitudeSteps.insert(step)
            } else {
                let property = try QuakeProperty.named(name)
                guard !property.isDerived else {
                    throw ValidationError(
                        "\(property.rawValue) is derived from other fields, so it is never reported as changed.")
                }
                set.properties.insert(property)
            }
        }
        return set
    }
}
