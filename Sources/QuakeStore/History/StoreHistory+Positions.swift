extension StoreHistory {
    /// Returns the position after the last transaction at or before `moment`.
    func position(at moment: Timestamp) throws -> HistoryPosition {
        guard let number = try lastTransactionNumber(at: moment) else {
            throw StoreError.generationExpired(trimmedThrough: try floor().number)
        }
        guard number > .zero else { throw StoreError.beforeHistory(begins: try firstTransactionTime()) }
        return HistoryPosition(token: try token(afterTransaction: number))
    }

    /// Returns the position that contains everything published up to `moment`, according to all transactions that reads
    /// see now.
    ///
    /// - Throws: ``StoreError/beforeFirstSnapshot(published:)`` if no snapshot or solution had been published by
    ///   `moment`, ``StoreError/generationExpired(trimmedThrough:)`` if a snapshot published after `moment` was trimmed
    ///   from the history.
    func position(publishedAt moment: Timestamp) throws -> HistoryPosition {
        let database = try session.database()
        let floor = try floor()
        let purged = try database.timestamp("SELECT floor_published FROM store")
        if let purged, moment < purged { throw StoreError.generationExpired(trimmedThrough: floor.number) }
        let ends = try database.first(
            """
            SELECT min(generated), min(iif(published > ?1, number, NULL)), max(iif(published > ?1, NULL, number)),
                max(number) FROM (\(PublishedState.transactions))
            """, moment.milliseconds
        ) {
            (
                first: $0.timestampOrNil(0), later: $0.transactionOrNil(1), last: $0.transactionOrNil(2),
                head: $0.transactionOrNil(3)
            )
        }
        let firstSolution = try database.timestamp("SELECT min(published) FROM main.solutions_v1")
        let first = purged ?? [ends?.first, firstSolution].compactMap { $0 }.min()
        guard let first, first <= moment
        else { throw StoreError.beforeFirstSnapshot(published: first) }
        let last = ends?.last ?? floor.number
        var place = HistoryPosition(token: try token(afterTransaction: last), published: moment)
        if let ends, let later = ends.later, let head = ends.head, later < last {
            place.publishedState = PublishedState(moment: moment, firstLater: later, head: head)
        }
        return place
    }

    /// The published state to which the session is pinned; nil if the session is unpinned, or pinned to the end of a
    /// transaction.
    var pinnedPublishedState: PublishedState? { session.heldGeneration?.position.publishedState }

    /// The time of publication to which the context is pinned; nil for an unpinned context or another kind of pin.
    package var pinnedPublication: Timestamp? { session.heldGeneration?.position.published }

    /// Returns the earliest publication time of a snapshot or, after a trim, the newest publication time of a trimmed
    /// snapshot; nil if there is none. States before this time contain only quakes whose solutions were fetched.
    package func firstSnapshot() throws -> Timestamp? {
        try session.database().timestamp(
            "SELECT coalesce((SELECT floor_published FROM store), (SELECT min(generated) FROM main.transactions))")
    }

    /// Returns the publication time of the newest snapshot in the history that reads see, even if it was trimmed; nil
    /// if there is none. The history does not record snapshots that changed no quake.
    package func newestPublication() throws -> Timestamp? {
        try session.database().timestamp(
            """
            SELECT max(published) FROM (
                SELECT max(generated) AS published FROM transactions WHERE number <= ? \(readableTransactionsSQL)
                UNION ALL SELECT floor_published FROM store)
            """, session.newestReadable)
    }

    /// Whether the pinned published state may lack quakes although snapshots published by then list them. This happens
    /// if the cache first received such a quake from a snapshot that was published later but applied earlier.
    package func lacksNewerQuakes() throws -> Bool {
        guard let pinnedPublication else { return false }
        // Two snapshots that list the same quake are at most 30 days apart, because no feed reaches back further.
        return try session.database().integer(
            """
            SELECT (SELECT max(number) FROM main.transactions WHERE generated > ?1 - ?2 AND generated <= ?1)
                > (SELECT min(number) FROM main.transactions WHERE generated > ?1 AND generated < ?1 + ?2)
            """, pinnedPublication.milliseconds, Int64(30 * 86_400_000)) == 1
    }

    /// Limits a range of changes to those that reads see.
    func readableChanges(in range: Range<ChangeID>) -> ChangeScope {
        ChangeScope(ids: range, within: pinnedPublishedState)
    }

    /// Returns the changes that the state at `place` does not contain.
    func changes(after place: HistoryPosition) throws -> ChangeScope {
        let start = try changeIDs(after: place.lastCommon, through: .maximum).lowerBound
        return ChangeScope(ids: start..<ChangeID.maximum, after: place.publishedState)
    }
}
