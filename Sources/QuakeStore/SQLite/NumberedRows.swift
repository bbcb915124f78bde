/// The numbers of rows that are never given twice: those of tables with AUTOINCREMENT.
extension Database {
    /// The last number that a row of `table` got, also of one that is gone.
    func lastNumber(of table: String) throws -> Int64 {
        try integer("SELECT seq FROM sqlite_sequence WHERE name = ?", table) ?? 0
    }

    /// The number for the next row of `table`.
    func nextNumber(of table: String) throws -> Int64 {
        try number(after: lastNumber(of: table), of: table)
    }

    /// The number after `last`. In a sound cache there is always one.
    func number(after last: Int64, of table: String) throws -> Int64 {
        guard (0..<Database.mostNumbers).contains(last) else {
            throw StoreError.corrupt(path: path, reason: "the numbers of \(table) cannot go on after \(last)")
        }
        return last + 1
    }

    /// More than a cache can ever have given. Temporary keys begin far above.
    static let mostNumbers: Int64 = 1 << 53
}
