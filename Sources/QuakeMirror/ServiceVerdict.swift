import QuakeFeed
import QuakeModel
import QuakeStore

/// What the event service's word about a missing quake means for the cache (rule 9).
struct ServiceVerdict {
    /// The quake that the feeds no longer list.
    let missing: KnownQuake
    let answer: EventService.Answer

    /// The steps to take; none when the answer decides nothing.
    func operations(cache: some CacheView) throws -> [Operation] {
        switch answer {
        case .unsettled: []
        case .deleted: [.delete(missing.stored, reason: .retracted, mergedInto: nil)]
        case .known(let quake) where quake.id.isSameID(as: missing.stored.quake.id):
            [.drop(.absent, key: missing.stored.key)]
        case .known(let quake): try goingOn(as: quake, cache: cache)
        }
    }

    /// The quake goes on under another id: a rename, or a merge when the cache holds that id already.
    ///
    /// The service says outright that both are one; networks need not be compared as with the aliases of a feature. Of
    /// two quakes the older one stays (rule 3), with the values of whichever record is newer.
    private func goingOn(as answer: Quake, cache: some CacheView) throws -> [Operation] {
        var steps: [Operation] = [.drop(.absent, key: missing.stored.key)]
        var survivor = missing.stored
        var values = answer
        values.extra = missing.stored.quake.extra
        if case .live(let key)? = try cache.target(ofID: answer.id), key != survivor.key,
            let twin = try cache.knownQuake(key)
        {
            let (oldest, other) = key < survivor.key ? (twin.stored, survivor) : (survivor, twin.stored)
            survivor = oldest
            values.extra = twin.stored.quake.extra
            if answer.updated < twin.stored.quake.updated { values = twin.stored.quake }
            steps.append(.delete(other, reason: .merged, mergedInto: survivor.key))
        }
        let isSameID = values.id.isSameID(as: survivor.quake.id)
        if !isSameID || !values.differences(from: survivor.quake).isEmpty {
            steps.append(
                .update(
                    survivor, to: values, reason: isSameID ? .revised : .renamed,
                    aliases: try freeAliases(of: values, cache: cache)))
        }
        return steps
    }

    /// The ids of `quake` that lead to no other quake of the cache, its own in any case.
    private func freeAliases(of quake: Quake, cache: some CacheView) throws -> [String] {
        try quake.aliases.filter { alias in
            if case .live? = try cache.target(ofID: alias) { return alias.isSameID(as: quake.id) }
            return true
        }
    }
}
