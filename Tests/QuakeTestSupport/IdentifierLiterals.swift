public import QuakeModel

// Tests write keys and numbers as they expect them in a new cache. Programs cannot: a literal is no identifier there.

extension QuakeKey: ExpressibleByIntegerLiteral {
    /// The key with this number.
    public init(integerLiteral number: Int64) { self.init(number) }
}

extension TransactionNumber: ExpressibleByIntegerLiteral {
    /// The transaction with this number.
    public init(integerLiteral number: Int64) { self.init(number) }
}

extension ChangeID: ExpressibleByIntegerLiteral {
    /// The change with this number.
    public init(integerLiteral number: Int64) { self.init(number) }
}
