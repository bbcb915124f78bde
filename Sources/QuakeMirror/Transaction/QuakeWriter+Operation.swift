extension QuakeWriter {
    /// Performs `operation` and records `rowSource` as the source of the row's values. Removes from the coverage the
    /// origin times of quakes that the event service may still have, and of quakes that lose their uncertainties.
    ///
    /// - Returns: the key of an inserted quake; nil otherwise.
    @discardableResult
    func perform(_ operation: Operation, _ rowSource: RowSource, isFromService: Bool) throws -> QuakeKey? {
        try loseCoverage(through: operation, isFromService: isFromService)
        switch operation {
        case .insert(let quake, let reason, let key, let aliases):
            return try insert(quake, reason: reason, key: key, aliases: aliases, rowSource: rowSource)
        case .update(let stored, let quake, let reason, let aliases):
            try update(stored, to: quake, reason: reason, rowSource: rowSource)
            for alias in aliases { try assign(alias: alias, to: stored.key) }
        case .confirm(let key): try confirm(key, rowSource)
        case .delete(let stored, let reason, let survivor):
            try delete(stored, reason: reason, mergedInto: survivor, sourceTime: rowSource.sourceTime)
        case .recordUnconfirmed(let change): try recordUnconfirmed(change)
        case .drop(let kind, let key): try drop(kind, of: key)
        }
        return nil
    }

    private func loseCoverage(through operation: Operation, isFromService: Bool) throws {
        if case .update(let stored, let quake, _, _) = operation, stored.quake.hasUncertainties,
            !quake.hasUncertainties, quake.updated <= stored.quake.updated
        {
            try recordLostCoverage(of: quake, because: .solution)
        }
        switch operation {
        // The service may have both the deleted quake and the quake into which it was merged.
        case .delete(let stored, _, let survivor) where !isFromService:
            try recordLostCoverage(of: stored.quake, because: .document)
            if let united = try survivor.flatMap({ try knownQuake($0) }) {
                try recordLostCoverage(of: united.stored.quake, because: .document)
            }
        // The service may still have the cached quake too, as when two events share an id.
        case .update(let stored, let quake, .renamed, _) where !isFromService || !quake.hasID(stored.quake.id):
            try recordLostCoverage(of: stored.quake, because: .document)
        default: break
        }
    }
}
