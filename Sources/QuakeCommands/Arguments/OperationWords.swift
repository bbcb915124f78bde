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
    private typealias Word = (name: String, operations: Operations)
    private static let operations: [Word] = Operation.allCases.map { operation in
        (operation.rawValue, operation == .undo ? changesOfUndos : [operation: all])
    }
    private static let reasons: [Word] = ChangeReason.allCases.map { reason in
        // A request for new quakes includes every quake that is seen for the first time.
        reason == .new
            ? (reason.rawValue, [.insert: [.new, .late, .split]])
            : (reason.rawValue, [.insert: [reason], .update: [reason], .delete: [reason], .undo: [reason]])
    }
    private static let wordsOfTables: [Word] = [
        ("entered", [.enter: all]), ("left", [.leave: all]),
        ("deleted", [.delete: all.subtracting([.merged, .purged])]),
    ]

    /// Parses comma-separated words. Throws an error that says what is wrong.
    static func parse(_ text: String) throws -> Operations {
        try NameList.names(in: text).reduce(into: [:]) { result, name in
            let word = try FieldName.find(name, among: operations + reasons + wordsOfTables, \.name, what: "operation")
            result.merge(word.operations) { $0.union($1) }
        }
    }
}
