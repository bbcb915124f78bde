import QuakeModel

/// A cache and the pending changes of two editors, by the rules in the documentation and without SQL: what each save
/// writes or why it fails. Keys are those of the cache, or negative for inserted quakes that are not saved yet.
struct EditModel {
    /// The values of ``properties``.
    typealias Values = [String]
    typealias Quakes = [Int: Values]
    static let properties: [QuakeProperty] = [.net, .code, .ids, .mag, .place, .depth]

    enum Change {
        case insert(Values, as: Int)
        case update(Int, from: Values, to: Values)
        case delete(Int, Values)

        /// The same change after a save, which gives inserted quakes other keys.
        func renumbered(_ keys: [Int: Int]) -> Change {
            switch self {
            case .insert: self
            case .update(let key, let old, let new): .update(keys[key] ?? key, from: old, to: new)
            case .delete(let key, let old): .delete(keys[key] ?? key, old)
            }
        }
    }

    enum Outcome: Equatable {
        case nothing
        case committed(before: Quakes, after: Quakes)
        case gone(String)
        case idTaken(String)
        case otherQuake(String)
        case conflict([String: Set<QuakeProperty>])
        case cannotUndo(Set<String>)

        var name: String {
            switch self {
            case .nothing: "nothing"
            case .committed: "committed"
            case .gone: "gone"
            case .idTaken: "idTaken"
            case .otherQuake: "otherQuake"
            case .conflict: "conflict"
            case .cannotUndo: "cannotUndo"
            }
        }
    }

    struct Writer {
        /// The changes of each call.
        var pending: [[Change]] = []
        var withdrawn: [[Change]] = []
        var undoable: [Transaction] = []
        var redoable: [Transaction] = []
        var changes: [Change] { pending.flatMap(\.self) }

        mutating func register(_ call: [Change]) {
            guard !call.isEmpty else { return }
            pending.append(call)
            withdrawn = []
            redoable = []
        }

        /// Drops the changes of one quake. `places` leads from the key of each insertion to that of its quake.
        mutating func rollBack(_ key: Int, _ places: [Int: Int]) {
            pending = pending.map { call in
                call.filter { change in
                    switch change {
                    case .insert(_, let own), .update(let own, _, _), .delete(let own, _): places[own] ?? own != key
                    }
                }
            }.filter { !$0.isEmpty }
            withdrawn = []
        }
    }

    /// The values of the quakes that a transaction changed, before and after it.
    struct Transaction {
        var before: Quakes
        var after: Quakes
        /// The ids of these quakes after it; nil if ids were changed or moved.
        var leads: [String: Int]?
        var keys: Set<Int> { Set(before.keys).union(after.keys) }
    }

    struct Cache {
        var quakes: Quakes = [:]
        /// The last values of deleted quakes.
        var tombstones: Quakes = [:]
        /// The quake that each lowercase id leads to.
        var leads: [String: Int] = [:]

        func holder(of id: String) -> Int? {
            leads[id.lowercased()].flatMap { key in quakes[key].flatMap { Self.have($0, id) ? key : nil } }
        }

        func has(_ key: Int) -> Bool { quakes[key] != nil || tombstones[key] != nil }

        static func id(_ values: Values) -> String { values[0] + values[1] }
        static func have(_ values: Values, _ id: String) -> Bool { self.id(values).lowercased() == id.lowercased() }
    }

    var cache = Cache()
    var writers = [Writer(), Writer()]

    /// The cache with a writer's pending changes.
    func replay(_ writer: Int) -> EditReplay { EditReplay(writers[writer].changes, on: cache) }

    /// Why an update is rejected at the call; nil if it is accepted.
    func rejection(of writer: Int, _ key: Int, from old: Values, to new: Values) -> Outcome? {
        let isDeleted = writers[writer].changes.contains { if case .delete(key, _) = $0 { true } else { false } }
        let replay = replay(writer)
        if isDeleted, replay.quakes[replay.places[key] ?? key] == nil { return .gone(Cache.id(old)) }
        let id = Cache.id(new)
        guard writers[writer].pending.isEmpty, !Cache.have(old, id), let holder = cache.holder(of: id), holder != key
        else { return nil }
        return .idTaken(id.lowercased())
    }

    mutating func save(_ writer: Int, failsOnConflict: Bool) -> Outcome {
        let replay = replay(writer)
        if let outcome = replay.failure ?? replay.conflict(failsOnConflict) { return outcome }
        writers[writer].pending = []
        let keys = replay.places.mapValues { replay.savedKeys[$0] ?? $0 }
        writers[writer].withdrawn = writers[writer].withdrawn.map { $0.map { $0.renumbered(keys) } }
        let outcome = commit(replay.saved())
        if let transaction = last, outcome != .nothing {
            writers[writer].undoable.append(transaction)
            writers[writer].redoable = []
        }
        return outcome
    }

    private var last: Transaction?

    /// Replaces the quakes in the cache and the leads of ids.
    mutating func commit(_ new: Cache) -> Outcome {
        let keys = Set(cache.quakes.keys).union(new.quakes.keys).filter { cache.quakes[$0] != new.quakes[$0] }
        let old = cache
        cache = new
        let before = old.quakes.filter { keys.contains($0.key) }
        let after = new.quakes.filter { keys.contains($0.key) }
        for (key, values) in before where after[key] == nil { cache.tombstones[key] = values }
        let movesIDs =
            old.leads.contains { new.leads[$0.key] != $0.value }
            || new.leads.contains { old.leads[$0.key] == nil && old.has($0.value) }
            || before.contains { key, values in after[key].map { $0.prefix(3) != values.prefix(3) } ?? false }
        last = Transaction(
            before: before, after: after,
            leads: movesIDs ? nil : cache.leads.filter { keys.contains($0.value) })
        return keys.isEmpty ? .nothing : .committed(before: before, after: after)
    }

    /// Whether an undo moves no ids: it takes back pending changes, restores values, or brings back a quake with all of
    /// its ids.
    func canUndoPlainly(_ writer: Int) -> Bool {
        !writers[writer].pending.isEmpty || isPlain(writers[writer].undoable.last)
    }

    func canRedoPlainly(_ writer: Int) -> Bool { isPlain(writers[writer].redoable.last) }

    private func isPlain(_ transaction: Transaction?) -> Bool {
        guard let transaction else { return true }
        guard let leads = transaction.leads, leads.allSatisfy({ cache.leads[$0.key] == $0.value }) else { return false }
        return transaction.keys.allSatisfy { key in
            guard let now = cache.quakes[key] else { return true }
            return (transaction.after[key] ?? transaction.before[key]).map { $0.prefix(3) == now.prefix(3) } ?? false
        }
    }

    mutating func undo(_ writer: Int) -> Outcome {
        if let call = writers[writer].pending.popLast() {
            writers[writer].withdrawn.append(call)
            return .nothing
        }
        return takeBack(writers[writer].undoable.popLast()) { $0.writers[writer].redoable.append($1) }
    }

    mutating func redo(_ writer: Int) -> Outcome {
        if writers[writer].redoable.isEmpty {
            if let call = writers[writer].withdrawn.popLast() { writers[writer].pending.append(call) }
            return .nothing
        }
        return takeBack(writers[writer].redoable.popLast()) { $0.writers[writer].undoable.append($1) }
    }

    private mutating func takeBack(_ last: Transaction?, _ record: (inout Self, Transaction) -> Void) -> Outcome {
        guard let last else { return .nothing }
        let changed = last.keys.filter { cache.quakes[$0] != last.after[$0] }
        guard changed.isEmpty else {
            return .cannotUndo(Set(changed.compactMap { (last.after[$0] ?? last.before[$0]).map(Cache.id) }))
        }
        var old = cache
        old.quakes = old.quakes.filter { !last.keys.contains($0.key) }.merging(last.before) { $1 }
        let outcome = commit(old)
        if outcome != .nothing, let inverse = self.last { record(&self, inverse) }
        return outcome
    }
}
