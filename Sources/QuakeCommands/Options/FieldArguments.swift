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

/// The fields for `--changed`: names, groups of names (`source`, `impact`, `bookkeeping`), or magnitude steps.
struct ChangedFieldSet: Hashable, Sendable {
    var properties: Set<QuakeProperty> = []
    /// The minimum changes in magnitude: positive for an increase, negative for a decrease.
    var magnitudeSteps: Set<Double> = []

    /// Parses comma-separated names, groups and magnitude steps, or throws an error that explains what is wrong.
    static func parse(_ text: String) throws -> ChangedFieldSet {
        var set = ChangedFieldSet()
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let name = part.trimmingSpaces
            if let group = QuakeProperty.Group(rawValue: name.lowercased()) {
                set.properties.formUnion(group.properties)
            } else if name.lowercased() == QuakeProperty.id.rawValue {
                // The preferred id consists of the network and the code.
                set.properties.formUnion([.net, .code])
            } else if let step = name.lowercased().wholeMatch(of: /mag([+-][0-9.]+)/)?.output.1 {
                guard let step = Double(step), step != 0 else {
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

enum FieldName {
    /// Returns the field called `name`, ignoring case. Throws an error that lists the valid names and suggests a
    /// `familiar` name.
    static func find<Field>(
        _ name: some StringProtocol, among fields: [Field], _ nameOf: (Field) -> String, what: String = "field",
        _ listed: [String]? = nil, hint: String = "", familiar: [String: String] = [:]
    ) throws -> Field {
        let lowercased = name.lowercased()
        if let field = fields.first(where: { nameOf($0).lowercased() == lowercased }) { return field }
        let suggestion = familiar[lowercased].map { " Did you mean \($0)?" } ?? ""
        throw ValidationError(
            "There is no \(what) \"\(TerminalText.sanitized(String(name)))\".\(suggestion)\(hint) The \(what)s are: "
                + "\((listed ?? fields.map(nameOf)).joined(separator: ", ")).")
    }
}

/// Option for the fields whose values before and after a change become columns.
struct ComparedFieldsOption: ParsableArguments {
    @Option(
        "--fields <name,…>", "The fields whose old and new values csv and tsv include (default: all).",
        completion: .changedFields, transform: FieldList.parse)
    var fields: FieldList?

    func validate() throws {
        if let field = fields?.fields?.first(where: { $0.property == nil }) {
            throw ValidationError("\(field.name) is not a feed property, so it has no before and after values.")
        }
    }

    /// Returns the properties for `format`. Throws a usage error if `format` has no columns for them.
    func properties(for format: ChangesFormat?) throws -> [QuakeProperty] {
        guard let fields else { return QuakeProperty.allCases }
        guard format == .csv || format == .tsv else { throw ValidationError("--fields needs --format csv or tsv.") }
        return fields.fields?.compactMap(\.property) ?? QuakeProperty.allCases
    }
}
