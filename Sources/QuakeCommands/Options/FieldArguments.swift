import ArgumentParser
import QuakeModel

/// The fields to print, in the order given: `time,mag,place`, or `all`.
struct FieldList: Hashable, Sendable {
    var properties: [QuakeProperty]

    private init(_ properties: [QuakeProperty]) {
        self.properties = properties
    }

    /// Parses `text`, or throws an error that says what is wrong with it. The case of names does not matter.
    static func parse(_ text: String) throws -> FieldList {
        if text.trimmingSpaces.lowercased() == "all" { return FieldList(QuakeProperty.allCases) }
        var properties: [QuakeProperty] = []
        for name in text.split(separator: ",", omittingEmptySubsequences: false) {
            let property = try QuakeProperty.named(name.trimmingSpaces)
            guard !properties.contains(property) else {
                throw ValidationError("\(property.rawValue) is named twice.")
            }
            properties.append(property)
        }
        return FieldList(properties)
    }
}

extension QuakeProperty {
    /// The property called `name`; the case does not matter.
    static func named(_ name: some StringProtocol) throws -> QuakeProperty {
        if let property = QuakeProperty(rawValue: String(name)) { return property }
        let lowercased = name.lowercased()
        guard let property = allCases.first(where: { $0.rawValue.lowercased() == lowercased }) else {
            let names = allCases.map(\.rawValue)
            let nearest = names.filter { lowercased.hasPrefix($0.lowercased()) }.max { $0.count < $1.count }
            let suggestion =
                (nearest ?? lowercased.nearest(among: names.filter { $0.first == lowercased.first })).map {
                    " Did you mean \($0)?"
                } ?? ""
            throw ValidationError(
                "There is no field \"\(TerminalText.sanitized(String(name)))\".\(suggestion) The fields are: "
                    + "\(names.joined(separator: ", ")).")
        }
        return property
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
