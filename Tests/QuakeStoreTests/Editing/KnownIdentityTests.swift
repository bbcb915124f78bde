import QuakeTestSupport
import Testing

@testable import QuakeEditing
@testable import QuakeStore

/// Values, ids, keys and queries in the present, in past states, and after undo, redo and a purge of history, against a
/// model of what snapshots and people do: insert, revise, rename, split off, merge, delete, purge and bring back, with
/// few ids for many quakes.
// Proves feature E1 of seeds.md.
@Suite("Random histories of identity", .computing) struct KnownIdentityTests {
    @Test(
        "After random changes, each past state is read with the ids, keys and values of that time",
        arguments: Thoroughness.seeds(60, of: 10_000, orOnly: "QUAKES_IDENTITY_SEED"))
    func pastStates(seeds: Range<Int>) throws {
        for seed in seeds {
            try ScratchStore.with { scratch, context in
                var story = try IdentityStory(
                    seed: UInt64(seed + 1), context: context, reader: QuakeContext(scratch.store))
                var differences: [String] = []
                for _ in 0..<10 where differences.isEmpty { differences = try story.step() }
                if differences.isEmpty { differences = try story.differencesOfStates() }
                if differences.isEmpty { differences = try story.differencesAfterPurge() }
                #expect(differences == [], "seed \(seed)")
            }
        }
    }
}

/// What a cache is to hold: values by key, where ids lead, and what was merged into what.
private struct IdentityModel: Equatable {
    static let ids = ["us", "ci", "at", "nn"].flatMap { net in (1...3).map { "\(net)\($0)" } }

    var quakes: [QuakeKey: Quake] = [:]
    var tombstones: [QuakeKey: Quake] = [:]
    var leads: [String: QuakeKey] = [:]
    var survivors: [QuakeKey: QuakeKey] = [:]

    /// What `context` answers otherwise, in the state called `name`. An id that led nowhere leads where it does `now`.
    func differences(
        from context: QuakeContext, _ name: String, now: [String: QuakeKey]
    ) throws -> [String] {
        let ids = try Self.ids.filter { try context.quake(id: $0) != (leads[$0] ?? now[$0]).flatMap(quake) }
        let keys = try Set(quakes.keys).union(tombstones.keys).sorted().filter { key in
            try context.quake(key: key) != quake(key)
                || quakes[key] != nil
                    && context.aliases(ofKey: key) != leads.filter { $0.value == key }.map(\.key).sorted()
        }
        return try ids.map { "\(name): \($0)" } + keys.map { "\(name): \($0)" }
            + (context.contents() == quakes ? [] : ["\(name): values"])
    }

    private func quake(_ key: QuakeKey) -> StoredQuake? {
        if let quake = quakes[key] { return StoredQuake(key: key, quake: quake) }
        return survivors[key].flatMap(quake)
    }

    private func has(_ key: QuakeKey) -> Bool { quakes[key] != nil || tombstones[key] != nil }

    func holder(of id: String) -> QuakeKey? { quakes.first { $0.value.id == id }?.key }

    mutating func put(_ quake: Quake, _ key: QuakeKey, leading ids: [String]) {
        (quakes[key], tombstones[key], survivors[key]) = (quake, nil, nil)
        for id in ids { leads[id] = key }
    }

    mutating func remove(_ key: QuakeKey, into survivor: QuakeKey? = nil) {
        (tombstones[key], survivors[key]) = (quakes.removeValue(forKey: key), survivor)
        guard let survivor else { return }
        for id in leads.filter({ $0.value == key }).keys { leads[id] = survivor }
    }

    /// The state `old` after what led from it to this one is undone: new quakes keep their ids for their return.
    func undone(to old: IdentityModel) -> IdentityModel {
        var model = old
        for (id, key) in leads where old.leads[id] == nil && !old.has(key) { model.leads[id] = key }
        // Derived values alone are not restored (rule 12).
        for (key, quake) in quakes where old.quakes[key].map({ quake.differences(from: $0).isEmpty }) == true {
            model.quakes[key] = quake
        }
        for (key, last) in tombstones.merging(quakes, uniquingKeysWith: { $1 }) where old.quakes[key] == nil {
            model.tombstones[key] = last
            if quakes[key] == nil { model.survivors[key] = survivors[key] }
        }
        return model
    }
}

private struct IdentityStory {
    private var random: SplitMix64
    private let context: QuakeContext
    private let editor: QuakeEditor
    private let reader: QuakeContext
    private var model = IdentityModel()
    private var states: [(token: HistoryToken, model: IdentityModel)]
    /// Where the reader is pinned, and where ids led when it was pinned.
    private var pin: HistoryToken
    private var leadsAtPin: [String: QuakeKey] = [:]
    /// The states before the transactions that can be undone, and before the undos that can be redone.
    private var (undoable, redoable): ([IdentityModel], [IdentityModel]) = ([], [])

    init(seed: UInt64, context: QuakeContext, reader: QuakeContext) throws {
        (random, self.context, self.reader) = (SplitMix64(state: seed), context, reader)
        editor = QuakeEditor(context)
        pin = try context.history.currentToken()
        states = [(pin, model)]
        try reader.pin(to: .token(pin))
    }

    /// One transaction, undo or redo. Returns how the cache differs from the model.
    mutating func step() throws -> [String] {
        let before = model
        switch random.next(12) {
        case 0...1 where !undoable.isEmpty:
            let old = undoable.removeLast()
            guard try editor.undo() != nil else { return ["undo"] }
            model = model.undone(to: old)
            redoable.append(before)
        case 2 where !redoable.isEmpty:
            try editor.redo()
            model = redoable.removeLast()
            undoable.append(before)
        default:
            let entry = try context.write { writer in
                for _ in 0..<(1 + random.next(3)) { try act(writer) }
            }.transaction
            guard entry != nil else { return model == before ? [] : ["no entry"] }
            (undoable, redoable) = (undoable + [before], [])
        }
        states.append((try context.history.currentToken(), model))
        let pinned = states.last { $0.token == pin }?.model
        var differences = try differences(of: context, from: model, "present")
        if let pinned { differences += try self.differences(of: reader, from: pinned, "pin", now: leadsAtPin) }
        if random.next(3) == 0 {
            pin = states[random.next(states.count)].token
            try reader.pin(to: .token(pin))
            leadsAtPin = model.leads
        }
        return differences
    }

    mutating func differencesOfStates() throws -> [String] {
        try states.flatMap { state in
            try reader.pin(to: .token(state.token))
            return try differences(of: reader, from: state.model, "after \(state.token.number)")
        }
    }

    /// Purges the history before a random state. Earlier states can no longer be read; the others are as they were.
    mutating func differencesAfterPurge() throws -> [String] {
        let floor = random.next(states.count)
        if floor > 0 { _ = try context.history.trim(through: states[floor].token.number) }
        let wrong = try states.indices.filter { index in
            do {
                try reader.pin(to: .token(states[index].token))
                return try index < floor || reader.contents() != states[index].model.quakes
            } catch StoreError.generationExpired {
                return index >= floor
            }
        }
        return try wrong.map { "after \(states[$0].token.number) and a purge of history" }
            + context.maintenance.verify(full: true).findings.map { "\($0)" }
    }

    /// The same, also of a random query.
    private mutating func differences(
        of context: QuakeContext, from model: IdentityModel, _ name: String, now: [String: QuakeKey]? = nil
    ) throws -> [String] {
        let filter = QuakeFilter(minimumMagnitude: Double(random.next(8)))
        let sorts: [QuakeSort] = [
            .time, .magnitude, .depth, .updated, .feltReports, .significance,
            .distance(from: [GeographicPoint(latitude: 1, longitude: 2)]),
        ]
        let keys = (0..<(1 + random.next(3))).map { _ in
            QuakeSortKey(sorts[random.next(sorts.count)], order: random.next(2) == 0 ? .forward : .reverse)
        }
        let listed = try context.fetch(QuakeDescriptor(filter: filter, sortBy: keys))
        let wanted = model.quakes.filter { filter.accepts($0.value) }
        let offset = random.next(3)
        let page = try context.fetchIdentifiers(
            QuakeDescriptor(filter: filter, sortBy: keys, limit: 3, offset: offset))
        let isRight =
            try Dictionary(uniqueKeysWithValues: listed.map { ($0.key, $0.quake) }) == wanted
            && context.fetchCount(filter) == wanted.count
            && page == Array(listed.map(\.key).dropFirst(offset).prefix(3))
        return try model.differences(from: context, name, now: now ?? self.model.leads)
            + (isRight ? [] : ["\(name): \(filter), \(keys)"])
    }

    private mutating func act(_ writer: QuakeWriter) throws {
        let keys = model.quakes.keys.sorted()
        let id = IdentityModel.ids[random.next(IdentityModel.ids.count)]
        let kind = random.next(10)
        guard kind > 1, !keys.isEmpty, let old = model.quakes[keys[random.next(keys.count)]],
            let key = model.holder(of: old.id)
        else { return try kind == 0 ? insertByHand(id, writer) : appear(id, writer) }
        let stored = StoredQuake(key: key, quake: old)
        switch kind {
        case 2...3: try appear(id, writer)
        case 4: try insertByHand(id, writer)
        case 5...6 where model.holder(of: id) == nil: try rename(stored, to: id, writer)
        case 7 where keys.first != key:
            let survivor = keys[0]
            try writer.delete(stored, reason: .merged, mergedInto: survivor)
            model.remove(key, into: survivor)
        case 7:
            let filter = QuakeFilter(minimumMagnitude: 8)
            _ = try writer.delete(where: filter, reason: .purged)
            for key in keys where filter.accepts(model.quakes[key] ?? old) { model.remove(key) }
        case 8:
            try writer.delete(stored, reason: .retracted)
            model.remove(key)
        default:
            let new = revised(old)
            try writer.update(stored, to: new, reason: .revised)
            if !new.differences(from: old).isEmpty { model.quakes[key] = new }
        }
    }

    private mutating func revised(_ quake: Quake) -> Quake {
        var quake = quake
        switch random.next(6) {
        case 0: quake.magnitude = random.next(3) == 0 ? nil : Double(random.next(90)) / 10
        case 1: quake.place = random.next(3) == 0 ? nil : "p\u{1F30B}\(random.next(9))\"\\\n"
        case 2: quake.hypocenter.depthKilometers = random.next(3) == 0 ? nil : Double(random.next(700)) + 0.1
        case 3: quake.feltReports = random.next(2) == 0 ? nil : Int(random.next(1 << 20))
        case 4: quake.updated = Timestamp(milliseconds: Int64(random.next(1 << 40)))
        default: quake.hypocenter.longitude = Double(random.next(1 << 53)) / Double(1 << 45) - 128
        }
        quake.publishedTitle = random.next(5) == 0 ? "quarry \(random.next(9))" : quake.publishedTitle
        return quake
    }

    /// A feature that is no quake of the cache: new, back, or split off from the one that its id led to.
    private mutating func appear(_ id: String, _ writer: QuakeWriter) throws {
        guard model.holder(of: id) == nil else { return }
        let quake = quake(id)
        let returning = model.leads[id].flatMap { model.tombstones[$0] == nil ? nil : $0 }
        let led = [id] + quake.aliases.filter { $0 != id && model.leads[$0] == nil }
        let key = try writer.insert(quake, reason: returning == nil ? .new : .restored, key: returning, aliases: led)
        model.put(quake, key, leading: led)
    }

    private mutating func rename(_ stored: StoredQuake, to id: String, _ writer: QuakeWriter) throws {
        let quake = quake(id)
        let led = [id] + quake.aliases.filter { $0 != id && model.leads[$0] == nil }
        try writer.update(stored, to: quake, reason: .renamed)
        for alias in led { try writer.assign(alias: alias, to: stored.key) }
        model.put(quake, stored.key, leading: led)
    }

    private mutating func insertByHand(_ id: String, _ writer: QuakeWriter) throws {
        let quake = quake(id)
        var pending = PendingChanges()
        pending.add([.insert(quake)])
        _ = try PendingEffects(of: pending, on: writer).write(with: writer)
        let (free, led) = (quake.aliases.filter { model.leads[$0] == nil }, model.leads[id])
        if let key = model.holder(of: id), led == key {
            if !quake.differences(from: model.quakes[key] ?? quake).isEmpty { model.put(quake, key, leading: free) }
        } else if let led, model.tombstones[led]?.id == id {
            model.put(quake, led, leading: [id] + free)
        } else {
            guard let key = try writer.target(ofID: id), case .live(let new) = key else { return }
            model.put(quake, new, leading: [id] + free)
        }
    }

    private mutating func quake(_ id: String) -> Quake {
        let others = (0..<random.next(4)).map { _ in IdentityModel.ids[random.next(IdentityModel.ids.count)] }
        var quake = Quake(sample: id, magnitude: Double(random.next(90)) / 10)
        quake.ids = PublishedSet(members: [id] + others)
        return quake
    }
}
