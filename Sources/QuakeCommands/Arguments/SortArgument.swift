import ArgumentParser

/// A sort key on the command line: `mag`, or `mag-asc` for the smallest magnitude first.
struct SortArgument: ExpressibleByArgument {
    enum Key: String, WordArgument {
        case time, mag, depth, distance, updated, felt, sig

        static let synonyms = ["magnitude": Key.mag]
    }

    let key: Key
    /// Whether the key ended in `-asc`: oldest, smallest, shallowest or nearest first. Otherwise, the key has its usual
    /// order.
    let isAscending: Bool

    init?(argument: String) {
        let ending = "-asc"
        isAscending = argument.lowercased().hasSuffix(ending)
        guard let key = Key(argument: String(argument.dropLast(isAscending ? ending.count : 0))) else { return nil }
        self.key = key
    }

    static let allValueStrings = Key.allValueStrings
    static let defaultCompletionKind = Key.defaultCompletionKind
}
