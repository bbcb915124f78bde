import QuakeMirror

/// The effects of one snapshot on a cache, in the terms of `expected.ndjson`.
struct StepOutcome: Hashable {
    /// One change, with sorted `changed`.
    struct Change: Hashable {
        var op: String
        var reason: String
        var id: String
        var changed: [String] = []
        var previous: String?
        var survivor: String?
    }

    var changes: Set<Change>
    /// Whether the document was rejected, with exit status 65.
    var isRefused = false

    /// Returns the effects of refreshing `replay` from the file at `path`.
    static func observed(_ replay: Replay, _ path: String) throws -> StepOutcome {
        let before = try replay.context.history.currentToken()
        do {
            let step = try replay.apply(path)
            return StepOutcome(changes: Set(try step.changes.map { try Change($0, in: replay) }))
        } catch FeedError.document(_, _) {
            let changes = try replay.changes(after: before.number)
            return StepOutcome(changes: Set(try changes.map { try Change($0, in: replay) }), isRefused: true)
        }
    }
}

extension StepOutcome.Change {
    init(_ change: HistoryChange, in replay: Replay) throws {
        op = change.kind.rawValue
        reason = change.reason.rawValue
        switch change.effect {
        case .insert(let quake): id = quake.id
        case .update(let before, let after, let properties):
            id = after.id
            changed = properties.map(\.rawValue).sorted()
            previous = before.id == after.id ? nil : before.id
        case .delete(let tombstone, let mergedInto):
            id = tombstone.id
            survivor = try mergedInto.flatMap { try replay.context.quake(key: $0)?.quake.id }
        }
    }
}
