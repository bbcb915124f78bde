import QuakeTestSupport
import QuakeStore

/// A reader's own copy of the cache, updated by events alone. The same code synchronizes fully and incrementally.
struct ReadersCopy {
    private(set) var quakes: [QuakeKey: Quake] = [:]
    /// The position at which to continue; nil before the first token, and after everything was dropped.
    private(set) var token: HistoryToken?
    private(set) var resyncs = 0

    private struct Cut: Error {}

    /// Reads more events, in pages of `page` changes if given, but dies after `limit` events.
    mutating func read(
        _ context: QuakeContext, isCoalesced: Bool = false, page: Int? = nil, dyingAfter limit: Int? = nil
    ) throws {
        var descriptor = HistoryDescriptor(start: token.map { .token($0) } ?? .transaction(0))
        (descriptor.isCoalesced, descriptor.limit) = (isCoalesced, page)
        // Without a token, the copy starts empty.
        if token == nil { quakes = [:] }
        var count = 0
        // Net effects belong together: they count once the end has arrived.
        var draft = self
        do {
            try context.history.fetch(descriptor) { event in
                if let limit, count >= limit { throw Cut() }
                count += 1
                draft.apply(event)
                if !isCoalesced { self = draft }
            }
            self = draft
        } catch is Cut {}
    }

    private mutating func apply(_ event: HistoryEvent) {
        switch event {
        case .dropEverything:
            quakes = [:]
            token = nil
            resyncs += 1
        case .resync(let resynced): quakes[resynced.stored.key] = resynced.stored.quake
        case .change(let relevant):
            switch relevant.change.effect {
            case .insert(let quake): quakes[relevant.change.quakeKey] = quake
            case .update(_, let after, _): quakes[relevant.change.quakeKey] = after
            case .delete: quakes[relevant.change.quakeKey] = nil
            }
            token = relevant.token ?? token
        case .end(let end): token = end.token
        }
    }

    /// Returns the keys whose values differ between this copy and the cache.
    ///
    /// If a published title comes and goes while everything else returns to its earlier value, there is no net effect,
    /// because titles are derived values (`countsTitles` false).
    func differences(from context: QuakeContext, countsTitles: Bool = true) throws -> [QuakeKey] {
        func comparable(_ quake: Quake?) -> Quake? {
            guard !countsTitles else { return quake }
            return quake?.with { $0.publishedTitle = nil }
        }
        let cache = Dictionary(uniqueKeysWithValues: try context.fetch().map { ($0.key, $0.quake) })
        return Set(cache.keys).union(quakes.keys).filter { comparable(cache[$0]) != comparable(quakes[$0]) }.sorted()
    }
}
