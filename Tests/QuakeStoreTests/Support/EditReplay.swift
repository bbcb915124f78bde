import QuakeModel

/// The pending changes of one editor, made one after the other in a cache.
struct EditReplay {
    typealias Values = EditModel.Values
    typealias Cache = EditModel.Cache

    private enum Event {
        case insert(Values)
        case update(from: Values, to: Values)
        case delete(Values)
    }

    private let cache: Cache
    /// The quakes after all changes.
    private(set) var quakes: EditModel.Quakes
    /// The key of each insertion's quake.
    private(set) var places: [Int: Int] = [:]
    /// Why no save is possible.
    private(set) var failure: EditModel.Outcome?
    /// What happened to each quake, in the order in which changes first concerned it.
    private var events: [(key: Int, events: [Event])] = []
    /// The quakes that were to be updated but did not exist.
    private var missing: [Int: String] = [:]
    /// The quake that last got each id.
    private var assignedKeys: [String: Int] = [:]

    init(_ changes: [EditModel.Change], on cache: Cache) {
        self.cache = cache
        quakes = cache.quakes
        for change in changes where failure == nil {
            switch change {
            case .insert(let values, let own): insert(values, own)
            case .update(let key, let old, let new): update(places[key] ?? key, old, new)
            case .delete(let key, let old): delete(places[key] ?? key, old)
            }
        }
        if failure == nil { failure = lastingFailure() }
    }

    /// Whether reads fail, too.
    var isUnreadable: Bool { failure?.name == "otherQuake" }

    private mutating func insert(_ values: Values, _ own: Int) {
        let id = Cache.id(values)
        var key = own
        if let holder = holder(of: id) {
            key = holder
        } else if let former = cache.leads[id.lowercased()], quakes[former] == nil,
            let last = cache.quakes[former] ?? cache.tombstones[former], Cache.have(last, id)
        {
            key = former
        }
        places[own] = key
        missing[key] = nil
        add(.insert(values), key)
        assignedKeys[id.lowercased()] = key
    }

    private mutating func update(_ key: Int, _ old: Values, _ new: Values) {
        guard isSame(old, key) else { return }
        if quakes[key] == nil {
            missing[key] = missing[key] ?? Cache.id(old)
            add(nil, key)
            return
        }
        add(.update(from: old, to: new), key)
        assignedKeys[quakes[key].map(Cache.id)?.lowercased() ?? ""] = key
    }

    private mutating func delete(_ key: Int, _ old: Values) {
        guard isSame(old, key) else { return }
        missing[key] = nil
        add(quakes[key] == nil ? nil : .delete(old), key)
    }

    private mutating func add(_ event: Event?, _ key: Int) {
        let index = events.firstIndex { $0.key == key } ?? events.count
        if index == events.count { events.append((key, [])) }
        if let event { events[index].events.append(event) }
        if case .delete? = event { return quakes[key] = nil }
        let known = events[index].events
        if case .delete? = known.last { return }
        guard !known.isEmpty else { return }
        quakes[key] = EditModel.properties.indices.map { story(of: $0, known, from: cache.quakes[key]).value }
    }

    /// The quake whose preferred id this is; of several, the one that got it last.
    private func holder(of id: String) -> Int? {
        [assignedKeys, cache.leads].lazy.compactMap { $0[id.lowercased()] }.first { has($0, id) }
    }

    private func has(_ key: Int, _ id: String) -> Bool { quakes[key].map { Cache.have($0, id) } ?? false }

    /// Whether one of the ids of a quake still leads to `key`.
    private mutating func isSame(_ old: Values, _ key: Int) -> Bool {
        guard let now = quakes[key] else { return true }
        let ids = old[2].split(separator: ",").map(String.init) + [Cache.id(old)]
        let isSame = ids.contains { id in
            let assigned = assignedKeys[id.lowercased()].flatMap { has($0, id) ? $0 : nil }
            return Cache.have(now, id) || (assigned ?? cache.leads[id.lowercased()]) == key
        }
        if !isSame { failure = .otherQuake(Cache.id(old)) }
        return isSame
    }

    private struct Story {
        var value: String
        /// Whether the last one to set the value had not seen the one in the cache.
        var isBlind = false
        var isTakenBack = false
    }

    /// What updates since the last insertion made of one value of a quake.
    private func story(of index: Int, _ events: [Event], from saved: Values?) -> Story {
        let current = saved?[index]
        var story = Story(value: current ?? "")
        var start = story.value
        var own: Set<String> = []
        var origin: String?
        for event in events {
            switch event {
            case .insert(let values):
                (start, origin) = (values[index], nil)
                story = Story(value: start)
                own.insert(start)
            case .update(let old, let new) where old[index] != new[index]:
                let seen = old[index]
                let isNew = !own.contains(seen)
                if seen == current { story.isBlind = false } else if isNew { story.isBlind = true }
                if story.isTakenBack, seen == story.value { (origin, story.isBlind) = (seen, false) }
                if isNew || origin == nil { origin = seen }
                own.insert(new[index])
                story.isTakenBack = new[index] == origin
                story.value = story.isTakenBack ? start : new[index]
            case .delete(let old):
                let seen = old[index]
                if seen == current { story.isBlind = false } else if !own.contains(seen) { story.isBlind = true }
            default: break
            }
        }
        if current == nil { story.isBlind = false }
        return story
    }

    /// A quake to be updated that is gone, or two quakes with one id.
    private func lastingFailure() -> EditModel.Outcome? {
        if let gone = events.lazy.compactMap({ missing[$0.key] }).first { return .gone(gone) }
        let ids = quakes.mapValues { Cache.id($0).lowercased() }
        let renamed = changed.filter { key in
            cache.quakes[key].map { Cache.id($0).lowercased() != ids[key] } ?? true
        }
        let unchanged = Set(ids.keys).subtracting(renamed)
        // If several quakes get one id, the last one written keeps it. Updates come first.
        let updates = renamed.filter { cache.quakes[$0] != nil }
        let insertions = renamed.filter { cache.quakes[$0] == nil }
        let rejected = (updates + insertions).first { key in
            let last = renamed.last { ids[$0] == ids[key] }
            return last != key || unchanged.contains { ids[$0] == ids[key] }
        }
        return rejected.flatMap { ids[$0] }.map { .idTaken($0) }
    }

    func conflict(_ failsOnConflict: Bool) -> EditModel.Outcome? {
        guard failsOnConflict else { return nil }
        var conflicts: [String: Set<QuakeProperty>] = [:]
        for (key, events) in events {
            guard let saved = cache.quakes[key] else { continue }
            for index in EditModel.properties.indices {
                let story = story(of: index, events, from: saved)
                let isKept = quakes[key].map { $0[index] == saved[index] || story.isTakenBack } ?? false
                guard story.isBlind, !isKept else { continue }
                conflicts[Cache.id(saved), default: []].insert(EditModel.properties[index])
            }
        }
        return conflicts.isEmpty ? nil : .conflict(conflicts)
    }

    /// The quakes to write, insertions first.
    private var changed: [Int] {
        let changed = events.map(\.key).filter { quakes[$0] != cache.quakes[$0] && quakes[$0] != nil }
        return changed.filter { cache.quakes[$0] == nil } + changed.filter { cache.quakes[$0] != nil }
    }

    /// The keys that a save gives new quakes.
    var savedKeys: [Int: Int] {
        let next = ([cache.quakes, cache.tombstones].flatMap(\.keys).max() ?? 0) + 1
        return Dictionary(uniqueKeysWithValues: zip(changed.filter { $0 < 0 }, next...))
    }

    /// The cache after a save. Each quake gets its preferred id, and those of its other ids that lead nowhere.
    func saved() -> Cache {
        var result = cache
        let keys = savedKeys
        for (key, values) in quakes { result.quakes[keys[key] ?? key] = values }
        for key in cache.quakes.keys where quakes[key] == nil { result.quakes[key] = nil }
        for key in changed {
            result.tombstones[keys[key] ?? key] = nil
            if let values = quakes[key] { result.leads[Cache.id(values).lowercased()] = keys[key] ?? key }
        }
        for key in changed {
            for id in (quakes[key]?[2] ?? "").split(separator: ",").map({ $0.lowercased() })
            where result.leads[id] == nil {
                result.leads[id] = keys[key] ?? key
            }
        }
        return result
    }
}
