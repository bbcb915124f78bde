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

extension QuakeKey: ExpressibleByIntegerLiteral {
    @inlinable public init(integerLiteral number: Int64) { self.init(number) }
}
