import ArgumentParser
import QuakeFormats
import QuakeModel

/// Option for the fields whose values before and after a change become columns.
struct ComparedFieldsOption: ParsableArguments {
    @Option(
        "--fields <name,…>", "In csv and tsv, include the old and new values of these fields only (default: all).",
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
