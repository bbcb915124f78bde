public import QuakeModel

extension QuakeContext {
    /// Saves everything pending as one transaction with one entry in the history, or none of it.
    ///
    /// What differs from the present values is recorded, with the reason `edited`; when nothing does there is no entry. A
    /// failure keeps everything pending. In a pinned context the save goes to the present, and advances the pin.
    ///
    /// - Returns: the entry, if one was made.
    @discardableResult
    public func save(_ origin: TransactionOrigin = TransactionOrigin()) throws -> HistoryTransaction? {
        guard hasChanges else { return nil }
        broadcast.willSave(pending.changes)
        let (_, entry) = try transaction(origin) { writer in
            for change in pending.changes { try writer.apply(change) }
        }
        pending.clear()
        return entry
    }

    /// Runs `body`, then saves what is pending. When either fails, what `body` left pending is dropped.
    @discardableResult
    public func transaction(_ body: () throws -> Void) throws -> HistoryTransaction? {
        let count = pending.changes.count
        do {
            try body()
            return try save()
        } catch {
            pending.truncate(to: count)
            throw error
        }
    }
}

extension QuakeWriter {
    /// Does what was pending, on the values that are there now.
    func apply(_ change: PendingChange) throws {
        switch change {
        case .insert(let quake): try insertOrUpdate(quake)
        case .update(let new, let before):
            guard let known = try knownQuake(new.key) else { return }
            try update(known.stored, to: known.stored.quake.taking(new.quake, where: before), reason: .edited)
        case .delete(let stored):
            guard let known = try knownQuake(stored.key) else { return }
            try delete(known.stored, reason: .edited, generated: known.rowSource.generated)
        case .deleteAll(let filter): _ = try delete(where: filter, reason: .edited)
        }
    }

    private func insertOrUpdate(_ quake: Quake) throws {
        switch try target(ofID: quake.id) {
        case .departed(let key, let generated):
            try insert(quake, reason: .edited, key: key, rowSource: RowSource(generated: generated))
        case .live(let key):
            // An id that only leads to another quake becomes one of its own.
            if let known = try knownQuake(key), known.stored.quake.id.isSameID(as: quake.id) {
                try update(known.stored, to: quake, reason: .edited)
            } else {
                try insert(quake, reason: .edited)
            }
        case nil: try insert(quake, reason: .edited)
        }
    }
}

extension Quake {
    /// This quake with the values of `new` that differ from `before`.
    fileprivate func taking(_ new: Quake, where before: Quake) -> Quake {
        var merged = self
        for property in new.differences(from: before) { merged.set(property, to: new[property]) }
        if new.publishedTitle != before.publishedTitle { merged.publishedTitle = new.publishedTitle }
        if new.publishedURL != before.publishedURL { merged.publishedURL = new.publishedURL }
        if new.publishedDetail != before.publishedDetail { merged.publishedDetail = new.publishedDetail }
        return merged
    }
}
