/// A table whose rows contain a checksum of their values in the column `checksum`.
///
/// The checksum reveals a flipped bit on disk or in memory, even in a value that never changed. All SQL that writes to
/// such a table is generated here, and computes the checksum from the bound values. An update adjusts the old checksum
/// by the difference, so a damaged row remains recognizable.
struct CheckedTable {
    let name: String
    /// All columns except the checksum, in the order in which they are bound and checksummed.
    let columns: [String]
    /// The column by which a finding of a verification identifies a row.
    let key: String
    /// The statement with which version 1 of the schema creates the table. Every cache contains the text of this
    /// statement, so it never changes after a release.
    let definition: String

    /// - Parameters:
    ///   - columns: the columns with their types, in table order, as in version 1 of the schema.
    ///   - bound: the column names in binding order, if it differs from table order, or if later schema steps added
    ///     columns.
    ///   - constraint: a table constraint.
    init(
        _ name: String, key: String, _ columns: String, bound: String? = nil, constraint: String? = nil,
        options: String = "STRICT"
    ) {
        let definitions = Self.items(of: columns)
        self.name = name
        self.key = key
        self.columns = bound.map(Self.items) ?? definitions.map { String($0.prefix { $0 != " " }) }
        let lines = definitions + ["checksum INTEGER NOT NULL"] + [constraint].compactMap(\.self)
        definition = "CREATE TABLE \(name) (\n    \(lines.joined(separator: ",\n    "))\n) \(options);"
    }

    private static func items(of list: String) -> [String] {
        list.split(separator: ",").map { $0.split { $0.isWhitespace }.joined(separator: " ") }
    }

    /// Returns the statement that inserts a row whose values are bound in the order of ``columns``.
    ///
    /// - Parameter alternative: the conflict clause, such as `OR REPLACE`.
    func insertion(_ alternative: String = "") -> String {
        let values = columns.indices.map { "?\($0 + 1)" }
        return """
            INSERT \(alternative) INTO \(name) (\(columns.joined(separator: ", ")), checksum)
            VALUES (\(values.joined(separator: ", ")), \(CheckedTable.checksum(of: values)))
            """
    }

    /// Returns the statement that assigns SQL expressions to columns.
    func update(_ changes: [(String, String)], where condition: String) -> String {
        let after = columns.enumerated().map { index, column in
            guard let value = changes.first(where: { $0.0 == column })?.1 else { return column }
            return index < 32 ? value : CheckedTable.notConstant(value)
        }
        let assignments = changes.map { "\($0) = \($1)" }.joined(separator: ", ")
        return """
            UPDATE \(name) SET \(assignments), checksum = moved_checksum(
                checksum, \(CheckedTable.checksum(of: columns)), \(CheckedTable.checksum(of: after)))
            WHERE \(condition)
            """
    }

    /// Returns `value` as an expression that SQLite cannot evaluate in advance. If a statement calls one function
    /// twice, SQLite 3.40 reuses the first call's values for the 33rd and later arguments.
    private static func notConstant(_ value: String) -> String { "iif(checksum IS NULL, NULL, \(value))" }

    /// A query for the key and the fault of each damaged row.
    var faultsQuery: String {
        """
        SELECT key, fault FROM (
            SELECT \(key) AS key, row_fault(checksum, \(columns.joined(separator: ", "))) AS fault FROM \(name) NOT INDEXED)
        WHERE fault <> 0
        """
    }

    static func checksum(of values: [String]) -> String { "row_checksum(\(values.joined(separator: ", ")))" }
}
