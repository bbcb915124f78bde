public import QuakeModel

/// The history of a cache as one context sees it: every change of every quake, in transactions.
///
/// In a pinned context the history ends at its generation. Consumers have no history: they are those of the present.
public struct StoreHistory {
    let context: QuakeContext
}

extension QuakeContext {
    /// The history: transactions, changes, tokens, and who reads them.
    public var history: StoreHistory { StoreHistory(context: self) }
}

extension StoreHistory {
    /// Brings quakes that `descriptor` fetched up to date with everything after `token`, whoever changed it.
    ///
    /// The result is what ``QuakeContext/fetch(_:)`` returns, for the cost of what changed. Where the history cannot
    /// tell, the quakes are fetched again: for a descriptor with an offset or pending changes, when a quake from behind
    /// a limit moves up, and for a token that cannot be followed. ``QuakeCache/quakes(matching:every:)`` does all of
    /// it.
    ///
    /// - Parameters:
    ///   - token: the head of the history when the quakes were fetched.
    ///   - quakes: the list, which is changed in place.
    ///   - descriptor: what fetched it.
    /// - Returns: the token for the next call.
    @discardableResult
    public func merge(
        after token: HistoryToken, into quakes: inout [StoredQuake], fetchedBy descriptor: QuakeDescriptor
    ) throws -> HistoryToken {
        try context.snapshot {
            let head = try head()
            guard descriptor.offset <= 0, !descriptor.includesPending else {
                quakes = try context.fetch(descriptor)
                return head
            }
            var history = HistoryDescriptor(start: .token(token))
            history.filter = descriptor.filter
            do {
                var update = QuakeListUpdate()
                try fetch(history, resyncs: false) { update.add($0) }
                quakes = try update.merged(into: quakes, fetchedBy: descriptor) ?? context.fetch(descriptor)
            } catch StoreError.token {
                quakes = try context.fetch(descriptor)
            }
            return head
        }
    }
}
