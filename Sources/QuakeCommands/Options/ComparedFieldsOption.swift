import ArgumentParser
import QuakeFormats
import QuakeModel

/// The option for the fields whose old and new values become columns in CSV and TSV.
struct ComparedFieldsOption: ParsableArguments {
    @Option(
        "--fields <name,…>", "In csv and tsv, include the old and new values of these fields only (default: all).",
        completion: .changedFields, transform: FieldList.parse)
    var fields: FieldList?

    func validate() throws {
        if let field = fields?.fields?.first(where: { $0.property == nil }) {
            throw ValidationError("\(field.name) is not published by USGS, so it has no old and new values.")
        }
    }

    /// Returns the properties to compare, by default all. Throws a usage error if fields are given but `format` has no
    /// columns.
    func properties(for format: ChangesFormat?) throws -> [QuakeProperty] {
        guard let fields else { return QuakeProperty.allCases }
        guard format == .csv || format == .tsv else { throw ValidationError("--fields needs --format csv or tsv.") }
        return fields.fields?.compactMap(\.property) ?? QuakeProperty.allCases
    }
}
