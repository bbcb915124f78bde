/// The number of a transaction in the history of one cache. Numbers ascend and are never reused, except if a lost cache
/// was replaced by a backup.
///
/// The value is encoded as a plain number.
public struct TransactionNumber: RawRepresentable, Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
    /// The position before the first transaction.
    public static let zero = TransactionNumber(0)

    public let rawValue: Int64

    @inlinable public init(rawValue: Int64) { self.rawValue = rawValue }

    @inlinable public init(_ number: Int64) { rawValue = number }

    public var description: String { rawValue.description }

    @inlinable public static func < (left: TransactionNumber, right: TransactionNumber) -> Bool {
        left.rawValue < right.rawValue
    }
}

extension TransactionNumber: ExpressibleByIntegerLiteral {
    @inlinable public init(integerLiteral number: Int64) { self.init(number) }
}

extension TransactionNumber: RecordValue {}
