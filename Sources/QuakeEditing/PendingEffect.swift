import QuakeModel
import QuakeStore

/// The net effect of pending changes on one quake.
final class PendingEffect {
    /// The quake's key, which is temporary for a new quake.
    let key: QuakeKey
    /// The quake in the cache; nil if the cache does not contain it.
    let saved: KnownQuake?
    /// The quake's values with the changes applied; nil if the quake does not exist after the changes.
    private(set) var current: Quake?
    /// The old values in the first update that found no quake; nil if every update found the quake.
    private(set) var unfoundQuake: Quake?
    /// The quake's new ids, other than the preferred one, that lead to no quake before the save.
    var newAliases: [String] = []
    /// For a quake that returns after a deletion, the source time (`FeedRecord.sourceTime`) of the document that
    /// deleted it, as epoch milliseconds; 0 if no document did, or if the time is unknown.
    var sourceTime: Int64 = 0

    /// The values before the updates: the inserted values or, without an insertion, the values in the cache; nil if
    /// there are neither.
    private var start: Quake?
    private var insertions: [Quake] = []
    /// The values that updates have given each property so far.
    private var updatedValues: [QuakeProperty: [QuakeValue]] = [:]
    /// The value of each property before its pending updates. Updates that end at this value cancel out.
    private var originalValues: [QuakeProperty: QuakeValue] = [:]
    /// The properties for which an edit was based on a value that is neither in the cache nor from an earlier pending
    /// change.
    private var outdated: Set<QuakeProperty> = []

    init(key: QuakeKey, saved: KnownQuake?) {
        self.key = key
        self.saved = saved
        start = saved?.stored.quake
        current = start
    }

    /// The kind of change that a save will make to the quake; nil if none.
    var kind: ChangeKind? {
        switch (saved, current) {
        case (nil, nil): nil
        case (nil, _?): .insert
        case (_?, nil): .delete
        case (let saved?, let now?): now.differences(from: saved.stored.quake).isEmpty ? nil : .update
        }
    }

    /// The quake as it is shown until the save: with its new values or, if it will be deleted, its values in the cache.
    var shown: StoredQuake? { (current ?? saved?.stored.quake).map { StoredQuake(key: key, quake: $0) } }

    /// Replaces all values, even those that another writer has changed.
    func replace(by quake: Quake) {
        unfoundQuake = nil
        outdated = []
        originalValues = [:]
        start = quake
        current = quake
        insertions.append(quake)
    }

    /// Changes the values that differ between `old` and `new`.
    func update(from old: Quake, to new: Quake) {
        guard var quake = current, let start else {
            unfoundQuake = unfoundQuake ?? old
            return
        }
        let changed = new.differences(from: old)
        compare(old, in: changed)
        for property in changed {
            let seen = old[property]
            let value = new[property]
            if isTakenBack(property), seen == quake[property] {
                outdated.remove(property)
                originalValues[property] = seen
            } else if !isOwn(seen, of: property) {
                originalValues[property] = seen
            }
            let origin = originalValues[property] ?? seen
            originalValues[property] = origin
            updatedValues[property, default: []].append(value)
            quake.set(property, to: value == origin ? start[property] : value)
        }
        if new.publishedTitle != old.publishedTitle { quake.publishedTitle = new.publishedTitle }
        if new.publishedURL != old.publishedURL { quake.publishedURL = new.publishedURL }
        if new.publishedDetail != old.publishedDetail { quake.publishedDetail = new.publishedDetail }
        current = quake
    }

    /// Deletes the quake; `old` contains its values as the caller read them.
    func delete(from old: Quake) {
        unfoundQuake = nil
        guard current != nil else { return }
        compare(old, in: QuakeProperty.compared)
        current = nil
    }

    private func compare(_ old: Quake, in properties: [QuakeProperty]) {
        guard let saved = saved?.stored.quake else { return }
        let differences = saved == old ? [] : Set(saved.differences(from: old))
        for property in properties {
            if !differences.contains(property) {
                outdated.remove(property)
            } else if !isOwn(old[property], of: property) {
                outdated.insert(property)
            }
        }
    }

    /// Whether a pending insertion or update gave `property` this value.
    private func isOwn(_ value: QuakeValue, of property: QuakeProperty) -> Bool {
        updatedValues[property]?.contains(value) == true || insertions.contains { $0[property] == value }
    }

    private func isTakenBack(_ property: QuakeProperty) -> Bool {
        originalValues[property].map { $0 == updatedValues[property]?.last } ?? false
    }

    /// The properties that another writer has changed and that the pending changes set to a different value; for a
    /// pending deletion, every property that another writer has changed.
    var conflict: [QuakeProperty] {
        guard !outdated.isEmpty, let saved = saved?.stored.quake else { return [] }
        guard let current else { return QuakeProperty.compared.filter(outdated.contains) }
        return current.differences(from: saved).filter { outdated.contains($0) && !isTakenBack($0) }
    }
}
