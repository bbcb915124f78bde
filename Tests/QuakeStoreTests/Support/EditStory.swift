import Foundation
import QuakeEditing
import QuakeStore
import QuakeTestSupport

/// Random edits by two editors and a third writer, in a cache and in a model.
struct EditStory {
    struct Difference: Error {
        var found: String
        var expected: String
    }

    struct Lost: Error {}

    /// The steps so far.
    var log: [String] = []
    /// The names of the outcomes so far.
    var outcomes: Set<String> = []
    var random: SplitMix64
    var model = EditModel()
    let third: QuakeContext
    let editors: [QuakeEditor]
    /// Saved quakes that were read at some time, and may have changed since.
    var old: [StoredQuake] = []
    var insertionCount = 0

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
        // A commit by somebody else may have made the pending changes unreadable.
        if model.replay(writer).isUnreadable { try checkState(of: writer) }
        switch random.next(24) {
        case 0...1: try commitByThird()
        case 2...11: try edit(writer)
        case 12...13 where model.canUndoPlainly(writer):
            log.append("undo \(writer)")
            try check(model.undo(writer)) { try editor.undo() }
        case 14 where model.canRedoPlainly(writer):
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

    mutating func finish() throws {
        for writer in editors.indices { try checkState(of: writer) }
        try require(third.maintenance.verify(full: true).findings.map { "\($0)" }, [])
    }

    // MARK: Steps

    private mutating func edit(_ writer: Int) throws {
        let chosen = try choose(writer)
        switch (random.next(8), chosen) {
        case (0...2, _), (_, nil):
            let values = randomQuake()
            try editors[writer].insert(quake(values))
            insertionCount += 1
            register([.insert(values, as: -insertionCount)], writer)
        case (3...5, let (key, stored)?): try update(stored, key, writer)
        case (6, let (key, stored)?):
            try editors[writer].delete(stored)
            register([.delete(key, try values(of: stored.quake))], writer)
        default:
            let maximum = random.next(2)
            let call = model.replay(writer).quakes.filter { $0.value[3] <= "\(maximum)" }
            if random.next(2) == 0 {
                try editors[writer].delete(where: QuakeFilter(maximumMagnitude: Double(maximum)))
            } else {
                let limit = Double(maximum)
                try editors[writer].delete(where: #Predicate { ($0.magnitude ?? 0) <= limit })
            }
            // All quakes have the same time, and are therefore fetched by id.
            let ordered = call.sorted { EditModel.Cache.id($0.value) < EditModel.Cache.id($1.value) }
            register(ordered.map { .delete($0.key, $0.value) }, writer)
        }
    }

    private mutating func register(_ call: [EditModel.Change], _ writer: Int) {
        log.append("\(writer): \(call)")
        model.writers[writer].register(call)
    }

    /// Changes one or two values, or the ids.
    private mutating func update(_ stored: StoredQuake, _ key: Int, _ writer: Int) throws {
        let values = try values(of: stored.quake)
        var new = values
        if random.next(3) == 0 {
            let other = randomQuake()
            new = Array(other.prefix(2)) + (random.next(2) == 0 ? other[2...2] : values[2...2]) + values.suffix(3)
        } else {
            let index = random.next(3)
            new[3 + index] = "\(random.next(3))"
            if random.next(2) == 0 { new[3 + (index + 1) % 3] = "\(random.next(3))" }
        }
        let changed = quake(new)
        let expected = new == values ? nil : model.rejection(of: writer, key, from: values, to: new)
        do {
            if random.next(2) == 0 {
                try editors[writer].update(stored, to: changed)
            } else {
                try editors[writer].update(stored) { $0 = changed }
            }
            try require(nil, expected)
            register(new == values ? [] : [.update(key, from: values, to: new)], writer)
        } catch StoreError.gone(let id, _) {
            try require(.gone(id), expected)
        } catch StoreError.idTaken(let id, _) {
            try require(.idTaken(id.lowercased()), expected)
        }
    }

    /// Returns a quake as the editor or its context shows it, or as it was read earlier, with its key in the model.
    private mutating func choose(_ writer: Int) throws -> (Int, StoredQuake)? {
        let editor = editors[writer]
        let saved = try editor.context.fetch()
        old = Array((saved + old).prefix(20))
        let shown = try editor.fetch().sorted { $0.key < $1.key }
        let keys = model.replay(writer).quakes.keys
        // Temporary keys are issued in order.
        let temporary = zip(shown.filter(\.isTemporary), keys.filter { $0 < 0 }.sorted(by: >)).map { ($1, $0) }
        let sources = [shown.filter { !$0.isTemporary }, saved, old].map { $0.map { (Int($0.key.rawValue), $0) } }
        let source = [sources[0] + temporary, sources[1], sources[2]][random.next(3)]
        return source.isEmpty ? nil : source[random.next(source.count)]
    }

    private mutating func randomQuake() -> EditModel.Values {
        let net = random.next(8) == 0 ? "US" : "us"
        let codes = [1 + random.next(5), 1 + random.next(5)]
        let ids = random.next(3) == 0 ? [net + "\(codes[0])", "us\(codes[1])"] : [net + "\(codes[0])"]
        let values = (0..<3).map { _ in "\(random.next(3))" }
        return [net, "\(codes[0])", Set(ids).sorted().joined(separator: ",")] + values
    }

    private mutating func rollBack(_ writer: Int) throws {
        log.append("rollback \(writer)")
        let editor = editors[writer]
        guard random.next(3) > 0, let (key, stored) = try choose(writer) else {
            editor.rollback()
            return model.writers[writer] = EditModel.Writer()
        }
        editor.rollback(stored.key)
        model.writers[writer].rollBack(key, model.replay(writer).places)
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
                for _ in 0...story.random.next(3) where !story.model.replay(writer).isUnreadable {
                    try story.edit(writer)
                }
                if isLost { throw Lost() }
                outcome = story.model.save(writer, failsOnConflict: editor.conflictPolicy == .fail)
            }
        }
        self = story
        switch outcome {
        case .gone, .conflict, .idTaken, .otherQuake: model.writers[writer] = before
        default: if isLost { model.writers[writer] = before }
        }
        if isLost {
            guard case .failure(let error) = result, error is Lost else {
                throw Difference(found: "\(result)", expected: "Lost")
            }
        } else {
            try check(outcome) { try result.get() }
        }
    }

    /// A commit that is no editor's, of one to three quakes.
    private mutating func commitByThird() throws {
        var cache = model.cache
        var touched: Set<Int> = []
        var story = self
        let entry = try third.write { writer in
            for _ in 0...story.random.next(3) {
                let values = story.randomQuake()
                let id = EditModel.Cache.id(values)
                let key = cache.leads[id.lowercased()]
                guard key.map({ touched.insert($0).inserted }) ?? true else { continue }
                guard let key, let known = cache.quakes[key] else {
                    let last = key.flatMap { cache.tombstones[$0] }
                    guard last.map({ EditModel.Cache.have($0, id) }) ?? true else { continue }
                    let key = try writer.insert(
                        story.quake(values), reason: .new, key: key.map { QuakeKey(Int64($0)) }, aliases: [id])
                    cache.quakes[Int(key.rawValue)] = values
                    cache.leads[id.lowercased()] = Int(key.rawValue)
                    touched.insert(Int(key.rawValue))
                    continue
                }
                let stored = StoredQuake(key: QuakeKey(Int64(key)), quake: story.quake(known))
                if story.random.next(3) == 0 {
                    cache.quakes[key] = nil
                    cache.tombstones[key] = known
                    try writer.delete(stored, reason: .retracted)
                } else {
                    let new = known.prefix(3) + values.suffix(3)
                    cache.quakes[key] = Array(new)
                    try writer.update(stored, to: story.quake(Array(new)), reason: .revised)
                }
            }
        }.transaction
        self = story
        log.append("third: \(cache.quakes)")
        try check(model.commit(cache)) { entry }
    }
}
