/// The decision about the quakes that a document did not list.
struct Absences {
    var operations: [Operation] = []
    /// The number of missing quakes whose absence is not confirmed yet.
    var unconfirmed = 0
    /// The keys of the quakes whose absence enough snapshots have shown, and which the event service must now confirm.
    var awaitingService: [QuakeKey] = []
    /// Whether so many quakes are missing that no absence counts (rule 15).
    var isSuspect = false
}

extension SnapshotRules {
    /// Judges the quakes in `covered` that are not in `listed`. For all quakes in `covered`, absence counts (rules 6 to
    /// 8). Ignores quakes that no snapshot has ever listed, and quakes that an equally new or newer snapshot has
    /// listed.
    func absences(among covered: [QuakeKey], listed: Set<QuakeKey>, cache: some CacheView) throws -> Absences {
        var result = Absences()
        let missing = try covered.compactMap { key -> StoredQuake? in
            guard !listed.contains(key), let known = try cache.knownQuake(key) else { return nil }
            let confirmed = try cache.confirmedUntil(known)
            return confirmed.milliseconds != 0 && confirmed < facts.sourceTime ? known.stored : nil
        }
        // Only new absences count toward the limit, so that genuine ones from several days do not add up.
        let news = missing.count { !confirmation.isRecorded(.absent, of: $0.key) }
        guard news <= max(20, covered.count / 5) else {
            result.isSuspect = true
            return result
        }
        for stored in missing {
            switch confirmation.judge(.absent, of: stored.key) {
            case .unchanged: result.unconfirmed += 1
            case .unconfirmed(let change):
                result.unconfirmed += 1
                result.operations.append(.recordUnconfirmed(change))
            // The event service must confirm the absence.
            case .confirmed(var change) where facts.ambiguousFeatures == .askService:
                change.awaitsService = true
                result.unconfirmed += 1
                result.awaitingService.append(stored.key)
                result.operations.append(.recordUnconfirmed(change))
            case .confirmed:
                result.operations.append(.delete(stored, reason: .retracted, mergedInto: nil))
            }
        }
        return result
    }
}
