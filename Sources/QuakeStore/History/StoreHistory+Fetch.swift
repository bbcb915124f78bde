extension StoreHistory {
    /// Calls `body` with the events that the descriptor requests, from a single state of the cache. The last event is
    /// `end`.
    ///
    /// If the start is unusable, such as an expired token, `body` receives
    /// ``/QuakeModel/HistoryEvent/dropEverything(_:)`` and every quake that the filter accepts, regardless of the
    /// descriptor's operations, properties and authors.
    ///
    /// - Parameters:
    ///   - descriptor: the part of the history and the changes to deliver.
    ///   - resyncs: whether to deliver every quake if the start is unusable, instead of throwing.
    ///   - body: receives each event.
    /// - Throws: ``StoreError/token(_:)``, before the first event, if the end is unusable or, with `resyncs` false, if
    ///   the start is unusable (but never for the start `nothing`).
    public func fetch(
        _ descriptor: HistoryDescriptor = HistoryDescriptor(), resyncs: Bool = true,
        _ body: (HistoryEvent) throws -> Void
    ) throws {
        try fetch(descriptor, resyncs: resyncs, ignoring: nil, body)
    }

    /// Calls `body` with the events that the descriptor requests, omitting the changes of the `ignored` transactions.
    func fetch(
        _ descriptor: HistoryDescriptor, resyncs: Bool = true, ignoring ignored: OwnTransactions?,
        _ body: (HistoryEvent) throws -> Void
    ) throws {
        try descriptor.requireInRange()
        try session.snapshot {
            let head = try currentToken()
            let start: ResponseStart
            do {
                start = try responseStart(at: descriptor.start, head: head)
            } catch StoreError.token(let fault) {
                guard resyncs || fault == .missing else { throw StoreError.token(fault) }
                let resync = try Resync(descriptor, fault, in: session)
                while let event = try resync.next() { try body(event) }
                return
            }
            let end = HistoryEnd(
                token: try token(endOf: descriptor, startingAt: start.number, head: head), newest: head,
                trimmedThrough: try floor().number, hasMore: false, count: 0)
            var scope = readableChanges(in: try changeIDs(after: start.lastCommon, through: end.token.number))
            scope.after = start.publishedState
            let relevance = RelevanceRules(descriptor, ignoring: ignored)
            if descriptor.isCoalesced { return try deliverNetEffects(relevance, in: scope, endingAt: end, body) }
            var delivery = ChangeDelivery(descriptor, relevance, in: self, endingAt: end)
            let cursor = try ChangeCursor(session.database(), in: scope)
            while let change = try cursor.next(), try delivery.take(change, body) {}
            try delivery.finish(body)
        }
    }

    /// Returns the position at which a response begins.
    ///
    /// - Throws: ``StoreError/token(_:)`` if the start is unusable.
    func responseStart(
        at start: HistoryDescriptor.Start, head: HistoryToken
    ) throws -> ResponseStart {
        switch start {
        case .nothing: throw StoreError.token(.missing)
        case .beginning: return try responseStart(at: .transaction(.zero), head: head)
        case .oldest: return ResponseStart(number: try floor().number)
        case .token(let token):
            try requireUsable(token)
            return ResponseStart(number: token.number)
        case .transaction(let number):
            if number < (try floor().number) { throw StoreError.token(.expired) }
            guard number <= head.number, isContained(number) else { throw StoreError.token(.future) }
            return ResponseStart(number: number)
        case .committed(let moment):
            guard let number = try lastTransactionNumber(at: moment) else { throw StoreError.token(.expired) }
            return ResponseStart(number: number)
        case .published(let moment):
            if let publishedState = pinnedPublishedState, moment > publishedState.moment {
                throw StoreError.token(.future)
            }
            do {
                let place = try position(publishedAt: moment)
                guard place.token.number <= head.number else { throw StoreError.token(.future) }
                return ResponseStart(number: place.token.number, publishedState: place.publishedState)
            } catch StoreError.beforeFirstSnapshot {
                return ResponseStart(number: try floor().number)
            } catch StoreError.generationExpired {
                throw StoreError.token(.expired)
            }
        }
    }

    /// Returns the position at which a response ends: the descriptor's end or, without one, the newest position; the
    /// start if the end precedes the start.
    private func token(
        endOf descriptor: HistoryDescriptor, startingAt start: TransactionNumber, head: HistoryToken
    ) throws -> HistoryToken {
        guard let end = descriptor.end else { return head }
        try requireUsable(end)
        return end.number < start ? try token(afterTransaction: start) : end
    }

    private func requireUsable(_ token: HistoryToken) throws {
        if let fault = try fault(of: token) { throw StoreError.token(fault) }
        guard isContained(token.number) else { throw StoreError.token(.future) }
    }

    /// Whether the generation visible to reads contains every transaction up to `number`.
    private func isContained(_ number: TransactionNumber) -> Bool {
        pinnedPublishedState.map { number < $0.firstLater } ?? true
    }

    /// Returns the reason why a reader at the start of `descriptor` must receive every quake again; nil if the start is
    /// usable.
    func startFault(of descriptor: HistoryDescriptor) throws -> TokenFault? {
        do {
            _ = try responseStart(at: descriptor.start, head: currentToken())
            return nil
        } catch StoreError.token(let fault) {
            return fault
        }
    }

    /// Returns the token after the transaction that contains the `count`th change after `token`; nil if there are fewer
    /// changes.
    func token(afterChanges count: Int, from token: HistoryToken) throws -> HistoryToken? {
        let first = try changeIDs(after: token.number, through: .maximum).lowerBound
        let number = try session.database().first(
            "SELECT txn FROM changes WHERE id >= ? ORDER BY id LIMIT 1", first.rawValue + Int64(count) - 1
        ) { $0.transaction(0) }
        return try number.map(token(afterTransaction:))
    }
}
