public import FoundationEssentials

/// Brings a list of quakes up to date by the history that came after it was fetched.
///
/// ```swift
/// var update = QuakeListUpdate()
/// try context.history.fetch(HistoryDescriptor(start: .token(token))) { update.add($0) }
/// try update.merge(into: &quakes, fetchedBy: descriptor)
/// ```
///
/// Then the list is what fetching again returns at the token of the last event. The history must have been fetched for
/// all quakes, or for the descriptor's filter, and without other conditions: a change that is left out is not merged.
public struct QuakeListUpdate: Sendable {
    private var isReset = false
    /// The newest state of each quake in the events; nil where it is gone.
    private var states: [QuakeKey: Quake?] = [:]

    /// No history yet.
    public init() {}

    /// Adds the next event of the history.
    public mutating func add(_ event: HistoryEvent) {
        switch event {
        case .dropEverything:
            isReset = true
            states = [:]
        case .resync(let resynced): states[resynced.stored.key] = .some(resynced.stored.quake)
        case .change(let relevant): add(relevant.change)
        case .end: break
        }
    }

    /// Adds the next change of the history.
    public mutating func add(_ change: HistoryChange) { states[change.quakeKey] = .some(change.after) }

    /// Brings `quakes` up to date: what the filter no longer accepts leaves, what it accepts now enters at its place in
    /// the order, and the rest has its new values.
    ///
    /// - Throws: ``QuakeListError`` for a descriptor whose list the history alone does not determine.
    public func merge(
        into quakes: inout [StoredQuake], fetchedBy descriptor: QuakeDescriptor
    ) throws(QuakeListError) {
        if descriptor.limit != nil || descriptor.offset > 0 { throw .pageOfAList }
        if descriptor.includesPending { throw .pendingChanges }
        quakes = whole(of: quakes, descriptor)
    }

    /// The first quakes of an order, brought up to date; nil if one from behind them may belong to them now.
    package func merged(into quakes: [StoredQuake], fetchedBy descriptor: QuakeDescriptor) -> [StoredQuake]? {
        let whole = whole(of: quakes, descriptor)
        guard let limit = descriptor.limit, limit >= 0 else { return whole }
        let page = Array(whole.prefix(limit))
        // A list that is not full has no quakes behind it. Those that no event named are behind its last one.
        guard !isReset, quakes.count >= limit, let last = quakes.last else { return page }
        guard page.count == limit, let end = page.last, !descriptor.isOrdered(last.quake, before: end.quake) else {
            return nil
        }
        return page
    }

    /// The list without the states before the events, and with those after them that the filter accepts.
    private func whole(of quakes: [StoredQuake], _ descriptor: QuakeDescriptor) -> [StoredQuake] {
        let kept = isReset ? [] : quakes.filter { states[$0.key] == nil }
        let entering = states.compactMap { key, quake in
            quake.flatMap { descriptor.filter.accepts($0) ? StoredQuake(key: key, quake: $0) : nil }
        }.sorted { descriptor.isOrdered($0.quake, before: $1.quake) }
        return QuakeListUpdate.merged(kept, entering, in: descriptor)
    }

    private static func merged(
        _ first: [StoredQuake], _ second: [StoredQuake], in descriptor: QuakeDescriptor
    ) -> [StoredQuake] {
        var result: [StoredQuake] = []
        result.reserveCapacity(first.count + second.count)
        var rest = second[...]
        for quake in first {
            while let next = rest.first, descriptor.isOrdered(next.quake, before: quake.quake) {
                result.append(rest.removeFirst())
            }
            result.append(quake)
        }
        return result + rest
    }
}

/// Why a list cannot be brought up to date by history.
public enum QuakeListError: Error, Equatable, Sendable {
    /// The descriptor has a limit or an offset: which quakes come onto the page from outside is not in the history.
    case pageOfAList
    /// The descriptor includes pending changes, which are not in the history.
    case pendingChanges
}

/// One sentence.
extension QuakeListError: LocalizedError {
    /// Why the list must be fetched again.
    public var errorDescription: String? {
        switch self {
        case .pageOfAList: "A list with a limit or an offset cannot be updated from the history alone."
        case .pendingChanges: "A list with pending changes cannot be updated from the history."
        }
    }
}
