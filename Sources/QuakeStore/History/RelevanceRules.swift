/// Decides whether a descriptor requests a change, and which operation the change is for the reader: an update that
/// makes a quake meet the filter, for example, is `enter`.
struct RelevanceRules {
    private let descriptor: HistoryDescriptor
    /// The conditions of the descriptor's filter.
    private let conditions: [FilterCondition]
    private let fields: Set<QuakeProperty>
    private let ignored: OwnTransactions?

    init(_ descriptor: HistoryDescriptor, ignoring ignored: OwnTransactions?) {
        self.descriptor = descriptor
        self.ignored = ignored
        conditions = descriptor.filter.conditions
        fields = descriptor.propertiesToKeep
    }

    func accepts(author: String, token: HistoryToken) -> Bool {
        (descriptor.authors.isEmpty || descriptor.authors.contains(author))
            && !descriptor.excludedAuthors.contains(author) && ignored?.contains(token) != true
    }

    /// Whether only some transactions are delivered.
    var choosesTransactions: Bool {
        !descriptor.authors.isEmpty || !descriptor.excludedAuthors.isEmpty || ignored != nil
    }

    /// Returns the change as the reader sees it, without a token; nil if the descriptor does not request the change.
    /// `tooOld` is the complete quake if its age is the only reason to omit the change, otherwise nil.
    ///
    /// - Parameters:
    ///   - recorded: the time at which the quake's age is measured; nil for the transaction's time.
    ///   - isUndo: whether the change undoes another change, so that an insert is delivered as `undo`.
    func judge(
        _ change: HistoryChange, in transaction: HistoryTransaction, recorded: Timestamp? = nil, isUndo: Bool = false
    ) -> (seen: RelevantChange, tooOld: Quake?)? {
        if let keys = descriptor.quakeKeys, !keys.contains(change.quakeKey) { return nil }
        guard var operation = operation(change) else { return nil }
        if isUndo, operation == .insert { operation = .undo }
        guard descriptor.operations.isEmpty || descriptor.operations.contains(operation) else { return nil }
        if let reasons = descriptor.operationReasons[operation], !reasons.contains(change.reason) { return nil }
        guard isAskedFor(change) else { return nil }
        if operation == .update, !fields.isEmpty, fields.isDisjoint(with: change.changed) { return nil }
        var seen = RelevantChange(
            change: change.keepingOnly(fields), operation: operation, transaction: transaction, token: nil)
        guard operation == .insert || operation == .enter, let quake = change.after else { return (seen, nil) }
        seen.timeliness = Timeliness(
            originTime: quake.originTime, at: transaction.provenance?.generated ?? transaction.time)
        let isRecentEnough = descriptor.isRecentEnough(quake, seen.timeliness, at: recorded ?? transaction.time)
        return (seen, isRecentEnough ? nil : quake)
    }

    private func operation(_ change: HistoryChange) -> RelevantChange.Operation? {
        let wasSeen = change.before.map(isSeen) ?? false
        let isSeen = change.after.map(isSeen) ?? false
        switch change.kind {
        case .insert: return isSeen ? .insert : nil
        case .delete: return wasSeen ? .delete : nil
        case .update: return wasSeen ? (isSeen ? .update : .leave) : (isSeen ? .enter : nil)
        }
    }

    /// Whether the descriptor's changed properties or magnitude steps select the change. Always true for inserts and
    /// deletions, and if the descriptor has neither.
    private func isAskedFor(_ change: HistoryChange) -> Bool {
        let properties = descriptor.changedProperties
        let steps = descriptor.magnitudeSteps
        guard case .update(let before, let after, let changed) = change.effect, !properties.isEmpty || !steps.isEmpty
        else { return true }
        if !properties.isDisjoint(with: changed) { return true }
        guard let magnitude = after.magnitude else { return false }
        // A first magnitude counts as a rise.
        guard let former = before.magnitude else { return steps.contains { $0 > 0 } }
        // As binary numbers, 4.5 and 4.2 differ by less than 0.3.
        return steps.contains { ($0 < 0 ? former - magnitude : magnitude - former) + 1e-9 >= $0.magnitude }
    }

    private func isSeen(_ quake: Quake) -> Bool { conditions.hold(for: quake) }
}

extension HistoryDescriptor {
    /// Whether a quake was at most ``maximumOriginAge`` old at the time `recorded`, and not dated after its snapshot
    /// (decision 0024); always true without a maximum.
    func isRecentEnough(_ quake: Quake, _ timeliness: Timeliness?, at recorded: Timestamp) -> Bool {
        guard let maximumOriginAge else { return true }
        return timeliness != .future && recorded - quake.originTime <= maximumOriginAge
    }
}
