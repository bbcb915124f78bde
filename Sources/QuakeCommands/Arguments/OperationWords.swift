import QuakeModel

/// The words that `--op` accepts: operations (the effects of changes as a filter sees them), reasons for changes, and
/// the words that tables show.
enum OperationWords {
    typealias Operation = RelevantChange.Operation
    /// The requested operations, each with its accepted reasons.
    typealias Operations = [Operation: Set<ChangeReason>]

    /// The words that completion offers: the same as in machine-readable output.
    static let offered = Operation.allCases.map(\.rawValue) + ChangeReason.allCases.map(\.rawValue)

    private static let all = Set(ChangeReason.allCases)
    /// All changes of an undo, not only the returns of quakes.
    private static let changesOfUndos: Operations = [
        .insert: [.undone], .update: [.undone], .delete: [.undone], .enter: [.undone], .leave: [.undone], .undo: all,
    ]
    private static let words: [(name: String, operations: Operations)] =
        Operation.allCases.filter { $0 != .undo }.map { ($0.rawValue, [$0: all]) }
        + ChangeReason.allCases.filter { $0 != .new }.map {
            ($0.rawValue, [.insert: [$0], .update: [$0], .delete: [$0], .undo: [$0]])
        }
        + [
            // A request for new quakes includes quakes that were first seen late.
            (ChangeReason.new.rawValue, [.insert: [.new, .late]]),
            (Operation.undo.rawValue, changesOfUndos), ("entered", [.enter: all]),
            ("left", [.leave: all]), ("deleted", [.delete: all.subtracting([.merged, .purged])]),
        ]

    /// Parses comma-separated words. Throws an error that says what is wrong.
    static func parse(_ text: String) throws -> Operations {
        try NameList.names(in: text).reduce(into: [:]) { operations, name in
            let word = try FieldName.find(name, among: words, \.name, what: "operation")
            operations.merge(word.operations) { $0.union($1) }
        }
    }
}
