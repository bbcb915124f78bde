import QuakeEditing
import QuakeStore
import QuakeTestSupport

extension EditStory {
    mutating func check(
        _ expected: EditModel.Outcome, _ body: () throws -> HistoryTransaction?
    ) throws {
        outcomes.insert(expected.name)
        do {
            guard let entry = try body() else { return try require(EditModel.Outcome.nothing, expected) }
            let (before, after) = try changes(of: entry)
            try require(.committed(before: before, after: after), expected)
        } catch StoreError.gone(let id, _) {
            try require(.gone(id), expected)
        } catch StoreError.idTaken(let id, _) {
            try require(.idTaken(id.lowercased()), expected)
        } catch StoreError.otherQuake(let id, _) {
            try require(.otherQuake(id), expected)
        } catch StoreError.conflict(let quakes) {
            try require(.conflict(quakes.mapValues(Set.init)), expected)
        } catch StoreError.cannotUndo(_, let quakes) {
            try require(.cannotUndo(Set(quakes)), expected)
        }
    }

    /// Returns the quakes before and after a transaction. The history contains one change for each.
    func changes(of entry: HistoryTransaction) throws -> (EditModel.Quakes, EditModel.Quakes) {
        var (before, after): (EditModel.Quakes, EditModel.Quakes) = ([:], [:])
        let changes = try third.history.changes(ofTransaction: entry.number)
        for change in changes {
            let key = Int(change.quakeKey.rawValue)
            before[key] = try change.before.map(values(of:))
            after[key] = try change.after.map(values(of:))
            try require(before[key] == after[key], false)
        }
        try require([entry.counts.total, Set(before.keys).union(after.keys).count], [changes.count, changes.count])
        return (before, after)
    }

    mutating func checkState(of writer: Int) throws {
        let editor = editors[writer]
        let state = model.writers[writer]
        let replay = model.replay(writer)
        let saved = model.cache.quakes
        try require(numbered(editor.context.fetch(), replay), saved)
        try require(editor.pendingChanges.count, state.changes.count)
        try require(
            [editor.hasChanges, editor.canUndo, editor.canRedo],
            [
                !state.changes.isEmpty, !state.changes.isEmpty || !state.undoable.isEmpty,
                !state.redoable.isEmpty || !state.withdrawn.isEmpty,
            ])
        guard !replay.isUnreadable else {
            try check(model.save(writer, failsOnConflict: false)) { try editor.save() }
            editor.rollback()
            return model.writers[writer] = EditModel.Writer()
        }
        try require(numbered(editor.fetch(), replay), replay.quakes)
        try require(
            [editor.insertedQuakes, editor.changedQuakes, editor.deletedQuakes].map { try numbered($0, replay) },
            [
                replay.quakes.filter { saved[$0.key] == nil },
                replay.quakes.filter { id, values in saved[id].map { $0 != values } ?? false },
                saved.filter { replay.quakes[$0.key] == nil },
            ])
        guard replay.failure == nil else { return }
        let result = replay.saved()
        for id in (1...5).map({ "us\($0)" }) {
            let expected = result.leads[id].flatMap { result.quakes[$0] }
            try require(editor.quake(id: id).map { try values(of: $0.quake) }, expected)
        }
    }

    /// Returns values by the key in the model. Temporary keys are issued in order.
    func numbered(_ quakes: [StoredQuake], _ replay: EditReplay) throws -> EditModel.Quakes {
        let saved = quakes.filter { !$0.isTemporary }.map { (Int($0.key.rawValue), $0) }
        let new = quakes.filter(\.isTemporary).sorted { $0.key < $1.key }
        let keys = replay.quakes.keys.filter { $0 < 0 }.sorted(by: >)
        try require(new.isEmpty || new.count == keys.count, true)
        return try Dictionary(
            uniqueKeysWithValues: (saved + zip(keys, new)).map { ($0, try values(of: $1.quake)) })
    }

    func require<Value: Equatable>(_ found: Value, _ expected: Value) throws {
        if found != expected { throw Difference(found: "\(found)", expected: "\(expected)") }
    }

    func unwrap<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw Difference(found: "nil", expected: "a value") }
        return value
    }

    func quake(_ values: EditModel.Values) -> Quake {
        Quake.coded(values[1], mag: Double(values[3]), net: values[0], place: values[4]).with {
            $0.ids = PublishedSet(values[2])
            $0.sources = PublishedSet("us")
            $0.hypocenter.depthKilometers = Double(values[5])
        }
    }

    func values(of quake: Quake) throws -> EditModel.Values {
        let numbers = try [quake.magnitude, quake.hypocenter.depthKilometers].map { "\(Int(try unwrap($0)))" }
        let values = try [
            quake.net, quake.code, quake.ids.members.joined(separator: ","), numbers[0], unwrap(quake.place),
            numbers[1],
        ]
        try require(quake, self.quake(values))
        return values
    }
}
