import QuakeModel

/// The quakes of a cache and the pending changes of two editors, by the rules in the documentation and without keys,
/// SQL or effects: what each save writes or why it fails.
struct EditModel {
    /// The indices of the values of ``properties``.
    typealias Values = [Int]
    static let properties: [QuakeProperty] = [.mag, .place, .depth]

    enum Change {
        case insert(String, Values)
        case update(String, from: Values, to: Values)
        case delete(String, Values)

        var id: String {
            switch self {
            case .insert(let id, _), .update(let id, _, _), .delete(let id, _): id
            }
        }
    }

    /// The values of the quakes that a transaction changed, before and after it.
    struct Transaction: Equatable {
        var before: [String: Values] = [:]
        var after: [String: Values] = [:]
        var ids: Set<String> { Set(before.keys).union(after.keys) }
    }

    enum Outcome: Equatable {
        case nothing
        case committed(Transaction)
        case gone(String)
        case conflict([String: Set<QuakeProperty>])
        case cannotUndo(Set<String>)

        var name: String {
            switch self {
            case .nothing: "nothing"
            case .committed: "committed"
            case .gone: "gone"
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

        mutating func rollBack(_ id: String) {
            pending = pending.map { $0.filter { $0.id != id } }.filter { !$0.isEmpty }
            withdrawn = []
        }
    }

    var saved: [String: Values] = [:]
    var writers = [Writer(), Writer()]

    /// The quakes as a writer sees them with its pending changes.
    func shown(to writer: Int) -> [String: Values] { outcome(of: writers[writer].changes).quakes }

    /// The first missing quake is the first that was to be updated but does not exist.
    private func outcome(of changes: [Change]) -> (quakes: [String: Values], missing: String?) {
        var quakes = saved
        var missing: String?
        for change in changes {
            switch change {
            case .insert(let id, let values): quakes[id] = values
            case .update(let id, let old, let new):
                if let now = quakes[id] {
                    quakes[id] = now.indices.map { old[$0] == new[$0] ? now[$0] : new[$0] }
                } else {
                    missing = missing ?? id
                }
            case .delete(let id, _): quakes[id] = nil
            }
        }
        return (quakes, missing)
    }

    mutating func save(_ writer: Int, failsOnConflict: Bool) -> Outcome {
        let changes = writers[writer].changes
        let (quakes, missing) = outcome(of: changes)
        if let missing { return .gone(missing) }
        if failsOnConflict {
            var conflicts: [String: Set<QuakeProperty>] = [:]
            for id in saved.keys {
                let own = changes.filter { $0.id == id }
                for index in Self.properties.indices where isConflict(id, index, own, final: quakes[id]) {
                    conflicts[id, default: []].insert(Self.properties[index])
                }
            }
            if !conflicts.isEmpty { return .conflict(conflicts) }
        }
        writers[writer].pending = []
        let outcome = commit(quakes)
        if case .committed(let transaction) = outcome {
            writers[writer].undoable.append(transaction)
            writers[writer].redoable = []
        }
        return outcome
    }

    /// Whether the last one to set a value, since the last insertion, did so without having seen the one in the cache.
    private func isConflict(_ id: String, _ index: Int, _ changes: [Change], final: Values?) -> Bool {
        guard let current = saved[id]?[index], final?[index] != current else { return false }
        var own: Set<Int> = []
        var isBlind = false
        var exists = true
        for change in changes {
            var seen: Int?
            switch change {
            case .insert(_, let values):
                own.insert(values[index])
                isBlind = false
                exists = true
            case .update(_, let old, let new) where old[index] != new[index]:
                seen = old[index]
                own.insert(new[index])
            case .delete(_, let old) where exists:
                seen = old[index]
                exists = false
            default: break
            }
            if seen == current { isBlind = false }
            if let seen, seen != current, !own.contains(seen) { isBlind = true }
        }
        return isBlind
    }

    /// Replaces the quakes in the cache.
    mutating func commit(_ quakes: [String: Values]) -> Outcome {
        let ids = Set(saved.keys).union(quakes.keys).filter { saved[$0] != quakes[$0] }
        let transaction = Transaction(
            before: saved.filter { ids.contains($0.key) }, after: quakes.filter { ids.contains($0.key) })
        saved = quakes
        return ids.isEmpty ? .nothing : .committed(transaction)
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
        let changed = last.ids.filter { saved[$0] != last.after[$0] }
        guard changed.isEmpty else { return .cannotUndo(changed) }
        let outcome = commit(saved.filter { !last.ids.contains($0.key) }.merging(last.before) { $1 })
        if case .committed(let inverse) = outcome { record(&self, inverse) }
        return outcome
    }
}
