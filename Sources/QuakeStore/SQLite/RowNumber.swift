/// A row number that is never reused, from a table with AUTOINCREMENT.
protocol RowNumber: SQLValue, RawRepresentable<Int64> {
    init(_ number: Int64)
}

extension QuakeKey: RowNumber {}
extension TransactionNumber: RowNumber {}
extension ChangeID: RowNumber {}

extension RowNumber {
    /// The greatest possible number, which no row has.
    static var maximum: Self { Self(.max) }
    var next: Self { Self(rawValue.saturatingSum(1)) }
    var previous: Self { Self(rawValue.saturatingDifference(1)) }

    func bind(to statement: Statement, at index: Int32) throws { try rawValue.bind(to: statement, at: index) }
}

extension Database {
    /// Returns the last number assigned in `table`, even if its row has been deleted.
    func lastNumber(of table: String) throws -> Int64 {
        try integer("SELECT seq FROM sqlite_sequence WHERE name = ?", table) ?? 0
    }

    func nextNumber<Number: RowNumber>(of table: String) throws -> Number {
        try number(after: Number(lastNumber(of: table)), of: table)
    }

    /// Returns the number after `last`. Throws ``StoreError/corrupt(path:reason:)`` if there is none, which happens
    /// only in a damaged cache.
    func number<Number: RowNumber>(after last: Number, of table: String) throws -> Number {
        guard (0..<Database.maximumNumbers).contains(last.rawValue) else {
            throw StoreError.corrupt(
                path: path, reason: "the numbering of \(table) cannot continue after \(last.rawValue)")
        }
        return last.next
    }

    /// A number that no sound cache can reach.
    static let maximumNumbers: Int64 = 1 << 53
}
