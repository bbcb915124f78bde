/// The local key of a quake, permanent within one cache.
///
/// Keys, ``TransactionNumber`` and ``ChangeID`` are distinct types, so that they cannot be confused. A key is encoded
/// as a plain number.
public struct QuakeKey: RawRepresentable, Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
    public let rawValue: Int64

    @inlinable public init(rawValue: Int64) { self.rawValue = rawValue }

    @inlinable public init(_ number: Int64) { rawValue = number }

    public var description: String { rawValue.description }

    /// Whether `left` was assigned before `right`.
    @inlinable public static func < (left: QuakeKey, right: QuakeKey) -> Bool { left.rawValue < right.rawValue }
}

/// The number of a transaction in the history of one cache. Numbers ascend and are never reused.
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

/// The id of a change in the history of one cache. Ids ascend and are never reused, unless the cache was lost: a key
/// for other systems should also contain ``HistoryTransaction/token``.
///
/// The value is encoded as a plain number.
public struct ChangeID: RawRepresentable, Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
    public let rawValue: Int64

    @inlinable public init(rawValue: Int64) { self.rawValue = rawValue }

    @inlinable package init(_ number: Int64) { rawValue = number }

    public var description: String { rawValue.description }

    @inlinable public static func < (left: ChangeID, right: ChangeID) -> Bool { left.rawValue < right.rawValue }
}
