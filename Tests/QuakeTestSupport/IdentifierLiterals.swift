public import QuakeModel

// Tests use the expected change ids of a new cache as literals. Programs cannot.

extension ChangeID: ExpressibleByIntegerLiteral {
    public init(integerLiteral number: Int64) { self.init(number) }
}
