public import QuakeModel

// Tests use the expected keys and numbers of a new cache as literals. Programs cannot.

extension QuakeKey: ExpressibleByIntegerLiteral {
    public init(integerLiteral number: Int64) { self.init(number) }
}

extension TransactionNumber: ExpressibleByIntegerLiteral {
    public init(integerLiteral number: Int64) { self.init(number) }
}

extension ChangeID: ExpressibleByIntegerLiteral {
    public init(integerLiteral number: Int64) { self.init(number) }
}
