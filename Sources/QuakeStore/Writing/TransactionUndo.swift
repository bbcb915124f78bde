/// Undoes one transaction inside a new one: deletions first, then updates, then insertions (decision 0032). All changed
/// ids are released before any quake regains its former id.
struct TransactionUndo {
    private let plan: UndoPlan
    private let writer: QuakeWriter
    private var database: Database { writer.database }

    init(_ plan: UndoPlan, writer: QuakeWriter) {
        self.plan = plan
        self.writer = writer
    }

    /// Restores the values from before the transaction.
    ///
    /// - Parameter isPartial: whether quakes that have changed since the transaction may be left as they are. If false,
    ///   or if nothing else is left to undo, such quakes make the undo fail.
    func run(isPartial: Bool) throws -> UndoneQuakes {
        let taken = plan.undoData
        let isLatest = try taken.isLatest(ofCoverage: database, by: plan.number)
        let outcome = try plan.outcome(isPartial: isPartial)
        // Ids that have moved again since stay where they are.
        let ids = try taken.movedIDs.filter { id, moved in
            let isLeft = [moved.old, moved.new].compactMap(\.self).contains(where: plan.leaves)
            return try !isLeft && database.quake(ofAlias: id) == moved.new
        }
        // Write an entry in any case: even if every quake is as it was before, ids may have moved and coverage may be
        // missing.
        try writer.begin()
        try restore(plan.restored)
        try moveBack(ids)
        for change in taken.unconfirmedChanges
        where try !plan.leaves(change.quakeKey) && writer.knownQuake(change.quakeKey) != nil {
            try writer.recordUnconfirmed(change)
        }
        try restoreCoverage(taken, isLatest: isLatest, restored: plan.restored)
        return outcome
    }

    private func restore(_ quakes: [TouchedQuake]) throws {
        let added = quakes.filter { !$0.existedBefore && $0.existsAfter }
        let changed = try quakes.filter { $0.existedBefore && $0.existsAfter }.map(restoration)
        let removed = quakes.filter { $0.existedBefore && !$0.existsAfter }
        try added.forEach(remove)
        for (stored, before) in changed where before.id != stored.quake.id { try writer.freeID(of: stored.key) }
        for (stored, before) in changed { _ = try writer.edit(stored, to: before, reason: .undone) }
        try removed.forEach(reinsert)
    }

    /// Returns the present values of a quake that existed before and after the transaction, and its values before it.
    private func restoration(_ touched: TouchedQuake) throws -> (stored: StoredQuake, before: Quake) {
        let before = try plan.state(before: touched)
        guard let known = try writer.knownQuake(touched.key) else { throw plan.undoError(blockedBy: [before.id]) }
        return (known.stored, before)
    }

    private func remove(_ touched: TouchedQuake) throws {
        guard let known = try writer.knownQuake(touched.key) else {
            throw plan.undoError(blockedBy: ["quake \(touched.key)"])
        }
        // If the quake had returned after a merge, merge it into the same quake again.
        let survivor = try database.integer(
            "SELECT merged_into FROM changes WHERE quake = ? AND id < ? ORDER BY id DESC LIMIT 1", touched.key,
            touched.first)
        try writer.delete(
            known.stored, reason: .undone, mergedInto: survivor.map(QuakeKey.init(_:)),
            sourceTime: known.rowSource.sourceTime)
    }

    private func reinsert(_ touched: TouchedQuake) throws {
        let before = try plan.state(before: touched)
        let sourceTime = try database.integer("SELECT source_time FROM departed WHERE quake = ?", touched.key)
        try writer.insert(
            before, reason: .undone, key: touched.key, aliases: [before.id],
            rowSource: RowSource(sourceTime: sourceTime ?? 0))
    }

    /// Moves ids back, except those that are now preferred ids of other quakes.
    private func moveBack(_ ids: [String: MovedID]) throws {
        for (id, moved) in ids {
            let holder = try database.quake(ofAlias: id).flatMap { try writer.knownQuake($0) }
            guard holder?.stored.quake.id.isSameID(as: id) != true else { continue }
            if let old = moved.old { try writer.assign(alias: id, to: old) } else { try writer.forget(alias: id) }
        }
    }

    /// Restores the requested ranges and, if nothing has changed the coverage since, the covered ranges. Otherwise, the
    /// next update fetches the requested times and the days of the restored quakes, because the event service may have
    /// deleted, renamed or merged these quakes. Coverage that the undo itself makes uncertain is removed first.
    private func restoreCoverage(_ taken: UndoData, isLatest: Bool, restored: [TouchedQuake]) throws {
        let moments = isLatest ? [] : try restored.compactMap { try writer.knownQuake($0.key)?.stored.quake.originTime }
        guard taken.hasCoverage || !moments.isEmpty else { return }
        try writer.changeCoverage { coverage in
            for range in taken.requestedRanges {
                coverage.request(range.conditions, in: range.originTimes, source: range.source)
            }
            if isLatest { coverage.restore(taken.coveredRanges) }
            coverage.uncover(RangeSet(instants: Set(moments)).wholeDays)
        }
    }
}
