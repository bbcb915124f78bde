/// A change as seen through a filter.
public struct RelevantChange: Hashable, Sendable {
    /// The effect of a change on the set of quakes that the filter accepts.
    public enum Operation: String, CaseIterable, Codable, Sendable {
        /// The insertion of a quake that the filter accepts.
        case insert
        /// An update of a quake that the filter accepts both before and after it.
        case update
        /// The deletion of a quake that the filter accepted.
        case delete
        /// An update that makes the filter accept the quake.
        case enter
        /// An update after which the filter no longer accepts the quake.
        case leave
        /// The return of a quake whose deletion was undone.
        case undo
    }

    public var change: HistoryChange
    public var operation: Operation
    public var transaction: HistoryTransaction
    /// Why a quake that was inserted or entered the filter is not recent; nil for a recent quake and for other changes.
    package var timeliness: Timeliness?
    /// The token from which to resume after this change. Unless the change is the last in its transaction, the whole
    /// transaction is delivered again on resuming.
    ///
    /// Nil for a net effect, because net effects must be applied as a whole. Otherwise, a reader could stop after an
    /// insertion and never learn that the quake has since been deleted, because insertion and deletion together have no
    /// net effect.
    public var token: HistoryToken?

    package init(
        change: HistoryChange, operation: Operation, transaction: HistoryTransaction, timeliness: Timeliness? = nil,
        token: HistoryToken?
    ) {
        self.change = change
        self.operation = operation
        self.transaction = transaction
        self.timeliness = timeliness
        self.token = token
    }
}

extension HistoryChange {
    /// The effect of the change on the set of all quakes.
    public var operation: RelevantChange.Operation {
        switch kind {
        case .insert: reason == .undone ? .undo : .insert
        case .update: .update
        case .delete: .delete
        }
    }
}
