/// What a history did to a set of quakes after it had become known: revised, renamed, retracted, and by how much their
/// magnitudes moved.
public struct RevisionSummary: Hashable, Sendable {
    /// A change of a magnitude.
    public struct Move: Hashable, Sendable {
        /// The id after the change.
        public let id: String
        public let before: Double
        public let after: Double
    }

    /// Updates and deletions by their reason.
    public private(set) var reasons: [ChangeReason: Int] = [:]
    /// How many updates moved a magnitude.
    public private(set) var moveCount = 0
    /// The move that was largest, of several the first.
    public private(set) var largestMove: Move?
    private var sumOfMoves = 0.0

    public init() {}

    /// Adds a change. Inserts are not counted.
    public mutating func add(_ change: HistoryChange) {
        if case .insert = change.effect { return }
        reasons[change.reason, default: 0] += 1
        guard case .update(let before, let after, _) = change.effect, let old = before.magnitude,
            let new = after.magnitude, old != new, (new - old).isFinite
        else { return }
        moveCount += 1
        sumOfMoves += abs(new - old)
        if let largest = largestMove, abs(largest.after - largest.before) >= abs(new - old) { return }
        largestMove = Move(id: after.id, before: old, after: new)
    }

    /// By how much a magnitude moved on average, up or down; nil if none did.
    public var meanMove: Double? { moveCount > 0 ? sumOfMoves / Double(moveCount) : nil }
}
