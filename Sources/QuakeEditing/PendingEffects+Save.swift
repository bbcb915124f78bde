import QuakeModel
import QuakeStore

extension PendingEffects {
    /// Throws an error if the changes cannot be saved in the state that `writer` sees.
    func requireSavable(_ policy: ConflictPolicy, in writer: QuakeWriter) throws {
        if let missingQuake {
            if let survivor = try writer.survivor(of: missingQuake.key) {
                throw StoreError.merged(id: missingQuake.quake.id, into: survivor.stored.quake.id)
            }
            throw StoreError.gone(id: missingQuake.quake.id, key: missingQuake.key)
        }
        if let takenID { throw StoreError.idTaken(id: takenID.id, key: takenID.holder) }
        guard policy == .fail else { return }
        let conflicts = (updated + deleted).compactMap { effect in
            effect.conflict.isEmpty ? nil : effect.saved.map { ($0.stored.quake.id, effect.conflict) }
        }
        if !conflicts.isEmpty { throw StoreError.conflict(quakes: Dictionary(conflicts, uniquingKeysWith: +)) }
    }

    /// Writes each effect as one change. Returns the permanent keys, keyed by temporary key.
    ///
    /// Deletions come first, and renamed quakes give up their ids, so that an id is free before another quake gets it.
    func write(with writer: QuakeWriter) throws -> [QuakeKey: QuakeKey] {
        for saved in deleted.compactMap(\.saved) {
            try writer.delete(saved.stored, reason: .edited, sourceTime: saved.rowSource.sourceTime)
        }
        let changes = updated.compactMap { effect in
            effect.saved.flatMap { saved in effect.current.map { (saved.stored, $0, effect.newAliases) } }
        }
        for (saved, now, _) in changes where now.id != saved.quake.id { try writer.freeID(of: saved.key) }
        for (saved, now, aliases) in changes {
            let isRename = !now.id.isSameID(as: saved.quake.id)
            _ = try writer.edit(saved, to: now, reason: isRename ? .renamed : .edited)
            for alias in aliases { try writer.assign(alias: alias, to: saved.key) }
        }
        var keys: [QuakeKey: QuakeKey] = [:]
        for effect in inserted {
            guard let quake = effect.current else { continue }
            keys[effect.key] = try writer.insert(
                quake, reason: reason(ofInserting: quake, under: effect.key, with: writer),
                key: effect.key.isTemporary ? nil : effect.key, aliases: [quake.id] + effect.newAliases,
                rowSource: RowSource(sourceTime: effect.sourceTime))
        }
        return shownKeys.mapValues { keys[$0] ?? $0 }
    }

    private func reason(
        ofInserting quake: Quake, under key: QuakeKey, with writer: QuakeWriter
    ) throws -> ChangeReason {
        guard key.isTemporary else { return .restored }
        // The id may be a former id of another quake, or one of its ids other than the preferred id.
        if case .live? = try writer.target(ofID: quake.id) { return .split }
        return .edited
    }
}
