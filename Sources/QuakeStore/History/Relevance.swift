import QuakeModel

/// What a descriptor makes of one change: nothing, or how it crosses the filter.
struct Relevance {
    private let descriptor: HistoryDescriptor
    private let acceptsAll: Bool

    init(_ descriptor: HistoryDescriptor) {
        self.descriptor = descriptor
        acceptsAll = descriptor.filter == QuakeFilter()
    }

    /// Whether the descriptor looks at transactions of this author.
    func accepts(_ transaction: HistoryTransaction) -> Bool {
        (descriptor.authors.isEmpty || descriptor.authors.contains(transaction.author))
            && !descriptor.excludedAuthors.contains(transaction.author)
    }

    /// The change as the reader sees it; nil when it does not matter to him.
    func judge(_ change: HistoryChange, in transaction: HistoryTransaction) -> RelevantChange? {
        if let keys = descriptor.quakeKeys, !keys.contains(change.quakeKey) { return nil }
        guard let crossing = crossing(change) else { return nil }
        guard descriptor.crossings.isEmpty || descriptor.crossings.contains(crossing) else { return nil }
        if crossing == .update, !descriptor.properties.isEmpty, descriptor.properties.isDisjoint(with: change.changed) {
            return nil
        }
        // Corrected records of 1925 and quakes ahead of the clock must not ring an alarm.
        guard isTimely(change, transaction) else { return nil }
        return RelevantChange(change: change, crossing: crossing, transaction: transaction)
    }

    private func crossing(_ change: HistoryChange) -> RelevantChange.Crossing? {
        let wasSeen = change.before.map(isSeen) ?? false
        let isSeen = change.after.map(isSeen) ?? false
        switch change.kind {
        case .insert: return isSeen ? .insert : nil
        case .delete: return wasSeen ? .delete : nil
        case .update: return wasSeen ? (isSeen ? .update : .leave) : (isSeen ? .enter : nil)
        }
    }

    private func isSeen(_ quake: Quake) -> Bool {
        acceptsAll || descriptor.filter.accepts(quake)
    }

    private func isTimely(_ change: HistoryChange, _ transaction: HistoryTransaction) -> Bool {
        guard let limit = descriptor.maximumOriginAge, case .insert(let quake) = change.effect else { return true }
        let known = transaction.provenance?.generated ?? transaction.time
        return quake.originTime <= known && known - quake.originTime <= limit
    }
}
