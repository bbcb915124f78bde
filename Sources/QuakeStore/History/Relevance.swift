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
    func accepts(_ transaction: HistoryTransaction) -> Bool { accepts(author: transaction.author) }

    /// Whether the descriptor looks at transactions of `author`.
    func accepts(author: String) -> Bool {
        (descriptor.authors.isEmpty || descriptor.authors.contains(author))
            && !descriptor.excludedAuthors.contains(author)
    }

    /// Whether it makes a difference who made a transaction.
    var asksForAuthors: Bool { !descriptor.authors.isEmpty || !descriptor.excludedAuthors.isEmpty }

    /// How the reader sees the change; nil when it does not matter to him.
    func judge(
        _ change: HistoryChange, in transaction: HistoryTransaction
    ) -> (crossing: RelevantChange.Crossing, timeliness: Timeliness?)? {
        if let keys = descriptor.quakeKeys, !keys.contains(change.quakeKey) { return nil }
        guard let crossing = crossing(change) else { return nil }
        guard descriptor.crossings.isEmpty || descriptor.crossings.contains(crossing) else { return nil }
        if crossing == .update, !descriptor.properties.isEmpty, descriptor.properties.isDisjoint(with: change.changed) {
            return nil
        }
        let timeliness = timeliness(crossing, change, transaction)
        // Corrected records of 1925 and quakes ahead of the clock must not ring an alarm.
        if timeliness != nil, descriptor.maximumOriginAge != nil { return nil }
        return (crossing, timeliness)
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

    private func timeliness(
        _ crossing: RelevantChange.Crossing, _ change: HistoryChange, _ transaction: HistoryTransaction
    ) -> Timeliness? {
        guard crossing == .insert || crossing == .enter, let quake = change.after else { return nil }
        return Timeliness(
            originTime: quake.originTime, at: transaction.provenance?.generated ?? transaction.time,
            limit: descriptor.maximumOriginAge ?? HistoryDescriptor.standardOriginAge)
    }
}
