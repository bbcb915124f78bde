import QuakeModel
import QuakeStore

/// The net effect of pending changes on one quake.
final class PendingEffect {
    /// The quake's key, which is temporary for a new quake.
    let key: QuakeKey
    /// The quake in the cache; nil if the cache does not contain it.
    let saved: KnownQuake?
    /// The quake's values with the changes applied; nil if it does not exist then.
    private(set) var now: Quake?
    /// The values that the changes have given the quake so far.
    private(set) var versions: [Quake] = []
    /// The values of the quake that was to be updated, if it does not exist.
    var missing: Quake?
    /// The ids besides the preferred one that lead to no quake yet, and will lead to this one.
    var newAliases: [String] = []
    /// For a quake that returns, the source time of the document that deleted it; 0 if none did.
    var sourceTime: Int64 = 0
    /// The properties that were changed from a value that is not the one in the cache, nor any of ``versions``.
    private var outdated: Set<QuakeProperty> = []

    init(key: QuakeKey, saved: KnownQuake?) {
        self.key = key
        self.saved = saved
        now = saved?.stored.quake
    }

    /// What a save will do with the quake; nil if nothing.
    var kind: ChangeKind? {
        switch (saved, now) {
        case (nil, nil): nil
        case (nil, _?): .insert
        case (_?, nil): .delete
        case (let saved?, let now?): now.differences(from: saved.stored.quake).isEmpty ? nil : .update
        }
    }

    /// The quake as it is shown until the save: with its new values, or before its deletion.
    var shown: StoredQuake? { (now ?? saved?.stored.quake).map { StoredQuake(key: key, quake: $0) } }

    /// Replaces all values. Nobody needs to have read those in the cache.
    func replace(by quake: Quake) {
        (missing, outdated) = (nil, [])
        change(to: quake)
    }

    /// Changes the values of `properties` from those of `old`.
    func change(to quake: Quake, _ properties: [QuakeProperty], from old: Quake) {
        compare(old, in: properties)
        change(to: quake)
    }

    /// Deletes the quake, whose values were `old`.
    func delete(from old: Quake) {
        missing = nil
        guard now != nil else { return }
        compare(old, in: QuakeProperty.compared)
        now = nil
    }

    private func change(to quake: Quake) {
        now = quake
        versions.append(quake)
    }

    private func compare(_ old: Quake, in properties: [QuakeProperty]) {
        guard let saved = saved?.stored.quake else { return }
        let differences = saved == old ? [] : Set(saved.differences(from: old))
        for property in properties {
            if !differences.contains(property) {
                outdated.remove(property)
            } else if !versions.contains(where: { $0[property] == old[property] }) {
                outdated.insert(property)
            }
        }
    }

    /// The properties to which somebody else has given one value, and the changes another; all that somebody else has
    /// changed if the quake is to be deleted.
    var conflict: [QuakeProperty] {
        guard !outdated.isEmpty, let saved = saved?.stored.quake else { return [] }
        return (now?.differences(from: saved) ?? QuakeProperty.compared).filter(outdated.contains)
    }
}
