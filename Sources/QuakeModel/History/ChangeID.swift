/// The id of a change in the history of one cache. Ids ascend and are never reused, except if a lost cache was replaced
/// by a backup: a key for other systems should also contain ``HistoryTransaction/token``.
///
/// The value is encoded as a plain number.
public struct ChangeID: RawRepresentable, Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
    public let rawValue: Int64

    @inlinable public init(rawValue: Int64) { self.rawValue = rawValue }

    @inlinable package init(_ number: Int64) { rawValue = number }

    public var description: String { rawValue.description }

    @inlinable public static func < (left: ChangeID, right: ChangeID) -> Bool { left.rawValue < right.rawValue }
}

extension ChangeID: RecordValue {}
