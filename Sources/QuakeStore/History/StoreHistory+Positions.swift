extension StoreHistory {
    /// Returns the position after the last transaction at or before `moment`.
    func position(at moment: Timestamp) throws -> HistoryPosition {
        guard let number = try lastTransactionNumber(at: moment) else {
            throw StoreError.generationExpired(trimmedThrough: try floor().number)
        }
        guard number > .zero else { throw StoreError.beforeHistory(begins: try firstTransactionTime()) }
        return HistoryPosition(token: try token(afterTransaction: number))
    }

    /// Returns the position that contains everything published up to `moment`, from all transactions visible now.
    ///
    /// - Throws: ``StoreError/beforeFirstSnapshot(published:)`` if no snapshot or solution had been published by then,
    ///   ``StoreError/generationExpired(trimmedThrough:)`` if history that was published later has been trimmed.
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

    /// The published state to which the session is pinned; nil if it is not pinned to one.
    var pinnedPublishedState: PublishedState? { session.heldGeneration?.position.publishedState }

    /// The time of publication to which the context is pinned; nil if it is not pinned by time of publication.
    package var pinnedPublication: Timestamp? { session.heldGeneration?.position.published }

    /// Returns the time of publication of the first snapshot or, after a trim, of the newest trimmed one; nil if there
    /// is none. States before this time contain only quakes whose solutions were fetched.
    package func firstSnapshot() throws -> Timestamp? {
        try session.database().timestamp(
            "SELECT coalesce((SELECT floor_published FROM store), (SELECT min(generated) FROM main.transactions))")
    }

    /// Returns the publication time of the newest visible snapshot that changed a quake, even if it was trimmed; nil if
    /// there is none.
    package func newestPublication() throws -> Timestamp? {
        try session.database().timestamp(
            """
            SELECT max(published) FROM (
                SELECT max(generated) AS published FROM transactions WHERE number <= ? \(readableOnly)
                UNION ALL SELECT floor_published FROM store)
            """, session.newestReadable)
    }

    /// Whether a snapshot of the pinned published state may list quakes that are missing from this state, because they
    /// first came from a snapshot that was published later but applied before.
    package func lacksNewerQuakes() throws -> Bool {
        guard let pinnedPublication else { return false }
        // Snapshots that share quakes are at most as far apart as the feeds reach back.
        return try session.database().integer(
            """
            SELECT (SELECT max(number) FROM main.transactions WHERE generated > ?1 - ?2 AND generated <= ?1)
                > (SELECT min(number) FROM main.transactions WHERE generated > ?1 AND generated < ?1 + ?2)
            """, pinnedPublication.milliseconds, Int64(30 * 86_400_000)) == 1
    }

    /// Limits a range of changes to those that reads see.
    func readable(_ range: Range<ChangeID>) -> ChangeScope { ChangeScope(ids: range, within: pinnedPublishedState) }

    /// Returns the changes that the state at `place` does not contain.
    func changes(after place: HistoryPosition) throws -> ChangeScope {
        let start = try changeIDs(after: place.lastCommon, through: .last).lowerBound
        return ChangeScope(ids: start..<ChangeID.last, after: place.publishedState)
    }
}
