import ArgumentParser
import QuakeModel

/// The properties a user names, in the order of the naming: `time,mag,place`, or `all`.
struct FieldList: Hashable, Sendable, ExpressibleByArgument {
    var properties: [QuakeProperty]

    init?(argument: String) {
        guard let list = try? FieldList.parse(argument) else { return nil }
        self = list
    }

    private init(_ properties: [QuakeProperty]) {
        self.properties = properties
    }

    /// Reads `text`, or says what is wrong with it. Names may differ in case from the feed's.
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
    /// The property a user means by `name`, whatever its case.
    static func named(_ name: some StringProtocol) throws -> QuakeProperty {
        if let property = QuakeProperty(rawValue: String(name)) { return property }
        let lowercased = name.lowercased()
        guard let property = allCases.first(where: { $0.rawValue.lowercased() == lowercased }) else {
            let names = allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError(
                "There is no field \"\(TerminalText.sanitized(String(name)))\". The fields are: \(names).")
        }
        return property
    }
}
