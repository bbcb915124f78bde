/// The local key of a quake: permanent within one cache.
///
/// A type of its own, as are ``TransactionNumber`` and ``ChangeID``, so that none of them is taken for another. Coded
/// as the bare number.
public struct QuakeKey: RawRepresentable, Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
    public let rawValue: Int64

    /// The key with this number.
    @inlinable public init(rawValue: Int64) { self.rawValue = rawValue }

    /// The key with this number.
    @inlinable public init(_ number: Int64) { rawValue = number }

    public var description: String { rawValue.description }

    /// Whether `left` was given before `right`.
    @inlinable public static func < (left: QuakeKey, right: QuakeKey) -> Bool { left.rawValue < right.rawValue }
}

/// The number of a transaction in the history of one cache: ascending, never given twice.
///
/// Coded as the bare number.
public struct TransactionNumber: RawRepresentable, Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
    /// Before the first transaction.
    public static let zero = TransactionNumber(0)

    public let rawValue: Int64

    /// The transaction with this number.
    @inlinable public init(rawValue: Int64) { self.rawValue = rawValue }

    /// The transaction with this number.
    @inlinable public init(_ number: Int64) { rawValue = number }

    public var description: String { rawValue.description }

    /// Whether `left` was made before `right`.
    @inlinable public static func < (left: TransactionNumber, right: TransactionNumber) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// The id of one change in the history of one cache: ascending, never given twice.
///
/// Coded as the bare number.
public struct ChangeID: RawRepresentable, Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
    public let rawValue: Int64

    /// The change with this number.
    @inlinable public init(rawValue: Int64) { self.rawValue = rawValue }

    /// The change with this number.
    @inlinable public init(_ number: Int64) { rawValue = number }

    public var description: String { rawValue.description }

    /// Whether `left` was made before `right`.
    @inlinable public static func < (left: ChangeID, right: ChangeID) -> Bool { left.rawValue < right.rawValue }
}
