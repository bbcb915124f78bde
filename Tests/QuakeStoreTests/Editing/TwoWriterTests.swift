import Foundation
import QuakeEditing
import QuakeStore
import QuakeTestSupport
import Testing

// Proves features E3, E4, E6 and E7 of seeds.md.
@Suite("Random edits by two editors and a third writer", .computing) struct TwoWriterTests {
    @Test(
        "After random edits, values, history, errors and pending changes of two editors are those of a model",
        arguments: Thoroughness.seeds(40, of: 10_000, orOnly: "QUAKES_EDIT_SEED"))
    func randomEdits(seeds: Range<Int>) throws {
        var outcomes: Set<String> = []
        for seed in seeds {
            var story = try EditStory(seed: UInt64(seed + 1))
            do {
                for _ in 0..<30 { try story.step() }
                try story.finish()
            } catch {
                Issue.record("seed \(seed): \(error), after \(story.log.joined(separator: ", "))")
            }
            outcomes.formUnion(story.outcomes)
        }
        #expect(seeds.count < 20 || outcomes.count == 5, "\(outcomes)")
    }
}

private struct EditStory {
    struct Difference: Error {
        var found: String
        var expected: String
    }

    private struct Lost: Error {}

    /// The steps so far.
    private(set) var log: [String] = []
    /// The names of the outcomes so far.
    private(set) var outcomes: Set<String> = []
    private var random: SplitMix64
    private var model = EditModel()
    private let third: QuakeContext
    private let editors: [QuakeEditor]
    /// Saved quakes that were read at some time, and may have changed since.
    private var old: [StoredQuake] = []
    /// The key of each quake that was ever saved.
    private var keys: [String: QuakeKey] = [:]
    private static let ids = (1...4).map { "us\($0)" }

    init(seed: UInt64) throws {
        random = SplitMix64(state: seed)
        let cache = try QuakeCache.inMemory()
        third = try QuakeContext(cache, author: "third")
        editors = try ["first", "second"].map { QuakeEditor(try QuakeContext(cache, author: $0)) }
        for editor in editors where random.next(2) == 0 { editor.conflictPolicy = .fail }
    }

    mutating func step() throws {
        let writer = random.next(2)
        let editor = editors[writer]
        switch random.next(24) {
        case 0...1: try commitByThird()
        case 2...11: try edit(writer)
        case 12...13:
            log.append("undo \(writer)")
            try check(model.undo(writer)) { try editor.undo() }
        case 14:
            log.append("redo \(writer)")
            try check(model.redo(writer)) { try editor.redo() }
        case 15: try rollBack(writer)
        case 16...17: try transaction(writer)
        case 18:
            editor.conflictPolicy = random.next(2) == 0 ? .fail : .lastWriterWins
            log.append("\(editor.conflictPolicy) \(writer)")
        default:
            log.append("save \(writer)")
            try check(model.save(writer, failsOnConflict: editor.conflictPolicy == .fail)) { try editor.save() }
        }
        try checkState(of: writer)
    }

    func finish() throws {
        for writer in editors.indices { try checkState(of: writer) }
        try require(third.maintenance.verify(full: true).findings.map { "\($0)" }, [])
    }

    // MARK: Steps

    private mutating func edit(_ writer: Int) throws {
        let editor = editors[writer]
        let stored = try choose(writer)
        var call: [EditModel.Change] = []
        switch (random.next(8), stored) {
        case (0...2, _), (_, nil):
            let id = Self.ids[random.next(Self.ids.count)]
            let values = (0..<3).map { _ in random.next(3) }
            try editor.insert(quake(id, values))
            call = [.insert(id, values)]
        case (3...5, let stored?):
            let values = try values(of: stored.quake)
            let index = random.next(3)
            var new = values
            new[index] = random.next(3)
            if random.next(2) == 0 { new[(index + 1) % 3] = random.next(3) }
            let changed = quake(stored.quake.id, new)
            if random.next(2) == 0 {
                try editor.update(stored, to: changed)
            } else {
                try editor.update(stored) { $0 = changed }
            }
            if new != values { call = [.update(stored.quake.id, from: values, to: new)] }
        case (6, let stored?):
            try editor.delete(stored)
            call = [.delete(stored.quake.id, try values(of: stored.quake))]
        default:
            let maximum = random.next(2)
            call = model.shown(to: writer).filter { $0.value[0] <= maximum }.map { .delete($0.key, $0.value) }
            if random.next(2) == 0 {
                try editor.delete(where: QuakeFilter(maximumMagnitude: Double(maximum)))
            } else {
                let limit = Double(maximum)
                try editor.delete(where: #Predicate { ($0.magnitude ?? 0) <= limit })
            }
        }
        log.append("\(writer): \(call)")
        model.writers[writer].register(call)
    }

    /// Returns a quake as the editor or its context shows it, or as it was read some time ago.
    private mutating func choose(_ writer: Int) throws -> StoredQuake? {
        let editor = editors[writer]
        let saved = try editor.context.fetch()
        old = Array((saved + old).prefix(20))
        let source = try [editor.fetch(), saved, old][random.next(3)]
        return source.isEmpty ? nil : source[random.next(source.count)]
    }

    private mutating func rollBack(_ writer: Int) throws {
        log.append("rollback \(writer)")
        let editor = editors[writer]
        let quakes = try editor.fetch() + editor.deletedQuakes
        guard random.next(3) > 0, !quakes.isEmpty else {
            editor.rollback()
            return model.writers[writer] = EditModel.Writer()
        }
        let stored = quakes[random.next(quakes.count)]
        editor.rollback(stored.key)
        model.writers[writer].rollBack(stored.quake.id)
    }

    private mutating func transaction(_ writer: Int) throws {
        log.append("transaction \(writer)")
        let editor = editors[writer]
        let before = model.writers[writer]
        let isLost = random.next(3) == 0
        var outcome = EditModel.Outcome.nothing
        var story = self
        let result = Result {
            try editor.transaction {
                for _ in 0..<(1 + story.random.next(3)) { try story.edit(writer) }
                if isLost { throw Lost() }
                outcome = story.model.save(writer, failsOnConflict: editor.conflictPolicy == .fail)
            }
        }
        self = story
        switch outcome {
        case .gone, .conflict: discard(writer, before)
        default: if isLost { discard(writer, before) }
        }
        if isLost {
            guard case .failure(let error) = result, error is Lost else {
                throw Difference(found: "\(result)", expected: "Lost")
            }
        } else {
            try check(outcome) { try result.get() }
        }
    }

    /// The changes of a transaction that failed are gone, but they have cleared the undone transactions.
    private mutating func discard(_ writer: Int, _ before: EditModel.Writer) {
        let redoable = model.writers[writer].redoable
        model.writers[writer] = before
        model.writers[writer].redoable = redoable
    }

    /// A commit that is no editor's, of one to three quakes.
    private mutating func commitByThird() throws {
        var quakes = model.saved
        var story = self
        let entry = try third.write { writer in
            for id in Self.ids.shuffled(using: &story.random).prefix(1 + story.random.next(3)) {
                let values = (0..<3).map { _ in story.random.next(3) }
                guard let key = story.keys[id], let known = quakes[id] else {
                    quakes[id] = values
                    try writer.insert(story.quake(id, values), reason: .new, key: story.keys[id])
                    continue
                }
                let stored = StoredQuake(key: key, quake: story.quake(id, known))
                quakes[id] = story.random.next(3) == 0 ? nil : values
                if let new = quakes[id] {
                    try writer.update(stored, to: story.quake(id, new), reason: .revised)
                } else {
                    try writer.delete(stored, reason: .retracted)
                }
            }
        }.transaction
        self = story
        log.append("third: \(quakes)")
        try check(model.commit(quakes)) { entry }
    }

    // MARK: Comparison with the model

    private mutating func check(
        _ expected: EditModel.Outcome, _ body: () throws -> HistoryTransaction?
    ) throws {
        outcomes.insert(expected.name)
        do {
            guard let entry = try body() else { return try require(EditModel.Outcome.nothing, expected) }
            try require(.committed(transaction(of: entry)), expected)
        } catch StoreError.gone(let id, _) {
            try require(.gone(id), expected)
        } catch StoreError.conflict(let quakes) {
            try require(.conflict(quakes.mapValues(Set.init)), expected)
        } catch StoreError.cannotUndo(_, let quakes) {
            try require(.cannotUndo(Set(quakes)), expected)
        }
    }

    /// Returns the changes that the history contains for a transaction: one for each quake, with a difference.
    private mutating func transaction(of entry: HistoryTransaction) throws -> EditModel.Transaction {
        var transaction = EditModel.Transaction()
        let start = HistoryDescriptor(start: .transaction(TransactionNumber(entry.number.rawValue - 1)))
        for change in try third.relevantChanges(start).map(\.change) {
            let id = try unwrap(change.before ?? change.after).id
            try require(transaction.ids.contains(id), false)
            try require(keys[id] ?? change.quakeKey, change.quakeKey)
            keys[id] = change.quakeKey
            transaction.before[id] = try change.before.map(values(of:))
            transaction.after[id] = try change.after.map(values(of:))
            try require(transaction.before[id] == transaction.after[id], false)
        }
        try require(entry.counts.total, transaction.ids.count)
        return transaction
    }

    private func checkState(of writer: Int) throws {
        let editor = editors[writer]
        let state = model.writers[writer]
        let shown = model.shown(to: writer)
        try require(values(editor.context.fetch()), model.saved)
        try require(values(editor.fetch()), shown)
        try require(
            [editor.insertedQuakes, editor.changedQuakes, editor.deletedQuakes].map { try values($0) },
            [
                shown.filter { model.saved[$0.key] == nil },
                shown.filter { id, values in model.saved[id].map { $0 != values } ?? false },
                model.saved.filter { shown[$0.key] == nil },
            ])
        try require(editor.pendingChanges.count, state.changes.count)
        try require(
            [editor.hasChanges, editor.canUndo, editor.canRedo],
            [
                !state.changes.isEmpty, !state.changes.isEmpty || !state.undoable.isEmpty,
                !state.redoable.isEmpty || !state.withdrawn.isEmpty,
            ])
    }

    private func require<Value: Equatable>(_ found: Value, _ expected: Value) throws {
        if found != expected { throw Difference(found: "\(found)", expected: "\(expected)") }
    }

    private func unwrap<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw Difference(found: "nil", expected: "a value") }
        return value
    }

    private func quake(_ id: String, _ values: EditModel.Values) -> Quake {
        Quake.coded(String(id.dropFirst(2)), mag: Double(values[0]), place: "p\(values[1])").with {
            $0.hypocenter.depthKilometers = Double(values[2])
        }
    }

    private func values(_ quakes: [StoredQuake]) throws -> [String: EditModel.Values] {
        Dictionary(uniqueKeysWithValues: try quakes.map { ($0.quake.id, try values(of: $0.quake)) })
    }

    private func values(of quake: Quake) throws -> EditModel.Values {
        let values = try [
            Int(unwrap(quake.magnitude)), unwrap(Int(unwrap(quake.place).dropFirst())),
            Int(unwrap(quake.hypocenter.depthKilometers)),
        ]
        try require(quake, self.quake(quake.id, values))
        return values
    }
}
