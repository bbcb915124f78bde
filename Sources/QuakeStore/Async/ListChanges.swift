/// The differences between two lists of quakes, as the quakes' local keys.
public struct ListChanges: Hashable, Sendable {
    /// Quakes added to the list, in the order of the list.
    public let inserted: [QuakeKey]
    /// Quakes whose values changed, in the order of the list.
    public let updated: [QuakeKey]
    /// Quakes that left the list.
    public let removed: [QuakeKey]

    public init(from old: [StoredQuake], to new: [StoredQuake]) {
        let before = Dictionary(old.map { ($0.key, $0.quake) }) { first, _ in first }
        let kept = Set(new.map(\.key))
        inserted = new.map(\.key).filter { before[$0] == nil }
        updated = new.filter { stored in before[stored.key].map { $0 != stored.quake } ?? false }.map(\.key)
        removed = old.map(\.key).filter { !kept.contains($0) }
    }
}
