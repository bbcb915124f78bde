public import QuakeModel

// Changes of ids. Every event has a permanent number, its true identity: an event that gets other ids keeps it, and one
// that ends in a merge gets it back if the merge is split.

/// An event that ended in a merge, as it was before.
struct EndedEvent: Sendable {
    var event: EventCatalog.Event
    /// The number of the event that it ended in.
    var survivor: Int
}

extension EventCatalog {
    /// The events that a split gives a new `updated`.
    public enum Touched: Sendable, CaseIterable {
        case both, kept, splitOff
    }

    /// The number of each event, deleted or not, by its preferred id.
    public var numbers: [String: Int] {
        Dictionary(events.map { ($0.quake.id, $0.number) }, uniquingKeysWith: { $1 })
    }

    /// Returns the number of the event, deleted or not, whose preferred id is `id`.
    public func truth(ofID id: String) -> Int? {
        places[id].map { events[$0] }.flatMap { $0.quake.id == id ? $0.number : nil }
    }

    /// The preferred ids of events that ended in merges, and may be split off again.
    public var endedIDs: [String] { ended.map(\.event.quake.id) }

    /// Assigns another preferred id, `net` and `code`, to the quake. The old one stays among its `ids`.
    public mutating func rename(_ id: String, to net: String, _ code: String) {
        guard let index = places[id] else { return }
        touch(id) { event in
            event.formerIDs.append(event.quake.id)
            (event.quake.net, event.quake.code) = (net, code)
            event.quake.ids = PublishedSet(members: event.quake.ids.members + [net + code])
            event.quake.sources = PublishedSet(members: event.quake.sources.members + [net])
        }
        places[net + code] = index
    }

    /// Merges two quakes. `survivor` receives all ids of `other`, which no longer exists: no response lists it again,
    /// not even as deleted.
    public mutating func merge(_ other: String, into survivor: String) {
        guard let index = places[other], let kept = places[survivor], index != kept else { return }
        let gone = events[index]
        touch(survivor) { event in
            event.quake.ids = PublishedSet(members: event.quake.aliases + gone.quake.aliases)
            event.quake.sources = PublishedSet(members: event.quake.sources.members + gone.quake.sources.members)
        }
        ended.append(EndedEvent(event: gone, survivor: events[kept].number))
        events.remove(at: index)
        findPlaces()
    }

    /// Makes one of the ids listed by `quake` a separate quake, at `time` if the id was never one. The own id of
    /// another quake is left.
    public mutating func split(_ id: String, off quake: Quake, at time: Timestamp) {
        if endedIDs.contains(id) { return splitAgain(id) }
        guard truth(ofID: id) == nil, let net = quake.sources.members.first(where: { id.hasPrefix($0) }) else { return }
        var other = quake
        (other.net, other.code, other.originTime) = (net, String(id.dropFirst(net.count)), time)
        (other.ids, other.sources) = (PublishedSet(members: [id]), PublishedSet(members: [net]))
        revise(quake.id) { $0.ids = PublishedSet(members: $0.aliases.filter { $0 != id }) }
        insert(other)
    }

    /// Splits the event that had the preferred id `id` off the event that it ended in, as it was before. Events not
    /// `touched` keep their `updated`.
    public mutating func splitAgain(_ id: String, touching touched: Touched = .both) {
        guard let index = ended.firstIndex(where: { $0.event.quake.id == id }) else { return }
        let (gone, survivor) = (ended[index].event, ended[index].survivor)
        ended.remove(at: index)
        // The survivor may have ended as well, or another quake may have got the id.
        guard let kept = events.first(where: { $0.number == survivor })?.quake, truth(ofID: id) == nil else { return }
        let ids = kept.aliases.filter { $0 == kept.id || !gone.quake.hasID($0) }
        let now = now
        alter(kept.id) { event in
            event.quake.ids = PublishedSet(members: ids)
            if touched != .splitOff { event.quake.updated = now }
        }
        insert(gone.quake, updated: touched == .kept ? gone.quake.updated : now, number: gone.number)
        if touched == .kept { silentSplits[id] = kept.id }
        findPlaces()
    }

    /// Adds `id`, which may belong to another quake, to the `ids` of `quake`. The other quake does not change.
    public mutating func share(_ id: String, with quake: Quake) {
        revise(quake.id) { $0.ids = PublishedSet(members: $0.aliases + [id]) }
        if places[id] == nil { places[id] = places[quake.id] }
    }

    /// Takes `id`, another quake's own, from the `ids` of `quake`. The other quake does not change.
    public mutating func unshare(_ id: String, from quake: Quake) {
        guard id != quake.id else { return }
        revise(quake.id) { $0.ids = PublishedSet(members: $0.aliases.filter { $0 != id }) }
        findPlaces()
    }

    private mutating func findPlaces() {
        places = [:]
        for (place, event) in events.enumerated() {
            for id in event.quake.aliases { places[id] = place }
        }
        // A quake's own id leads to it, and a former one too, even if others list that id.
        for (place, event) in events.enumerated() {
            for id in event.formerIDs where event.quake.hasID(id) { places[id] = place }
        }
        for (place, event) in events.enumerated() { places[event.quake.id] = place }
    }
}
