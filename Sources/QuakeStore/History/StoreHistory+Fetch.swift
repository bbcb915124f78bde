extension StoreHistory {
    /// Calls `body` with the events that the descriptor requests, from a single state of the cache and ending with
    /// `end`.
    ///
    /// If the start is unusable, such as an expired token, `body` receives
    /// ``/QuakeModel/HistoryEvent/dropEverything(_:)`` and every quake that the filter accepts, regardless of the
    /// descriptor's crossings, properties and authors.
    ///
    /// - Parameters:
    ///   - descriptor: the part of the history and the changes to deliver.
    ///   - resyncs: whether to deliver every quake if the start is unusable, instead of throwing.
    ///   - body: receives each event.
    /// - Throws: ``StoreError/token(_:)``, before the first event, for an unusable end, and for an unusable start other
    ///   than `nothing` if `resyncs` is false.
    public func fetch(
        _ descriptor: HistoryDescriptor = HistoryDescriptor(), resyncs: Bool = true,
        _ body: (HistoryEvent) throws -> Void
    ) throws {
        try context.snapshot {
            let head = try head()
            switch try resolve(descriptor.start, head: head) {
            case .place(let number, let cut):
                let first = cut.map { $0.firstLater.previous } ?? number
                let span = HistorySpan(
                    end: try end(of: descriptor, startingAt: number, head: head), head: head,
                    floor: try floor().number)
                var scope = readable(try changeIDs(after: first, through: span.end.number))
                scope.after = cut
                if descriptor.isCoalesced {
                    try deliverNetEffects(descriptor, in: scope, span, body)
                } else {
                    try deliverChanges(descriptor, in: scope, span, body)
                }
            case .unusable(let fault):
                guard resyncs || fault == .missing else { throw StoreError.token(fault) }
                let resync = try Resync(descriptor, fault, in: context)
                while let event = try resync.next() { try body(event) }
            }
        }
    }

    private enum Place {
        case place(TransactionNumber, PublishedState? = nil)
        case unusable(TokenFault)
    }

    private func resolve(_ start: HistoryDescriptor.Start, head: HistoryToken) throws -> Place {
        switch start {
        case .nothing: return .unusable(.missing)
        case .beginning: return try resolve(.transaction(.zero), head: head)
        case .floor: return .place(try floor().number)
        case .token(let token):
            if let fault = try fault(of: token) { return .unusable(fault) }
            return isContained(token.number) ? .place(token.number) : .unusable(.future)
        case .transaction(let number):
            if number < (try floor().number) { return .unusable(.expired) }
            return number <= head.number && isContained(number) ? .place(number) : .unusable(.future)
        case .moment(let moment):
            return try lastTransaction(at: moment).map { .place($0) } ?? .unusable(.expired)
        case .published(let moment): return try resolve(published: moment, head: head)
        }
    }

    private func resolve(published moment: Timestamp, head: HistoryToken) throws -> Place {
        if let cut = pinnedCut, moment > cut.moment { return .unusable(.future) }
        do {
            let place = try place(publishedAt: moment)
            return place.token.number <= head.number ? .place(place.token.number, place.cut) : .unusable(.future)
        } catch StoreError.beforeFirstSnapshot {
            return .place(try floor().number)
        } catch StoreError.generationExpired {
            return .unusable(.expired)
        }
    }

    /// Returns the position at which a response ends: the descriptor's end or the head, but never before the start.
    private func end(
        of descriptor: HistoryDescriptor, startingAt start: TransactionNumber, head: HistoryToken
    ) throws -> HistoryToken {
        guard let end = descriptor.end else { return head }
        if let fault = try fault(of: end) { throw StoreError.token(fault) }
        guard isContained(end.number) else { throw StoreError.token(.future) }
        return end.number < start ? try token(afterTransaction: start) : end
    }

    /// Whether the generation visible to reads contains every transaction up to `number`.
    private func isContained(_ number: TransactionNumber) -> Bool {
        pinnedCut.map { number < $0.firstLater } ?? true
    }

    private func deliverChanges(
        _ descriptor: HistoryDescriptor, in scope: ChangeScope, _ span: HistorySpan,
        _ body: (HistoryEvent) throws -> Void
    ) throws {
        var delivery = ChangeDelivery(descriptor, context: context, span: span)
        let cursor = try ChangeCursor(context.database(), in: scope)
        while let change = try cursor.next(), try delivery.take(change, body) {}
        try delivery.finish(body)
    }

    /// Returns the reason a reader at the start of `descriptor` must drop everything; nil if the start is usable.
    func startFault(of descriptor: HistoryDescriptor) throws -> TokenFault? {
        if case .unusable(let fault) = try resolve(descriptor.start, head: try head()) { fault } else { nil }
    }

    /// Returns the position after the transaction that contains the `count`th change after `token`; nil if there are
    /// fewer.
    func place(changes count: Int, after token: HistoryToken) throws -> HistoryToken? {
        let first = try changeIDs(after: token.number, through: .last).lowerBound
        let number = try context.database().first(
            "SELECT txn FROM changes WHERE id >= ? ORDER BY id LIMIT 1", first.rawValue + Int64(count) - 1
        ) { $0.transaction(0) }
        return try number.map(token(afterTransaction:))
    }
}

/// The positions that bound a response.
struct HistorySpan {
    /// The position at which the response ends.
    let end: HistoryToken
    /// The newest position when the response began.
    let head: HistoryToken
    /// The last purged transaction.
    let floor: TransactionNumber
}
