import QuakeStore

extension QuakeContext {
    /// Throws ``CommandError/neverFilled`` if no feed, file or response was ever read and nothing else was recorded.
    func requireFilled() throws {
        guard try history.currentToken().number == .zero, try sources.feeds().allSatisfy({ $0.lastSuccess == nil }),
            try sources.coveredRanges().isEmpty
        else { return }
        throw CommandError.neverFilled
    }

    /// Returns the ids in `arguments`, without repeated ids of the same quake.
    func distinctIDs(_ arguments: [String]) throws -> [String] {
        try arguments.map(\.quakeIDArgument).distinct { id in
            try key(ofID: id).map(AnyHashable.init) ?? AnyHashable(id.lowercased())
        }
    }

    /// Returns the error for the number of a transaction that the history does not contain.
    func missingTransaction(_ number: TransactionNumber) throws -> CommandError {
        let floor = try history.floor().number
        guard number > .zero, number <= floor else { return CommandError(StoreError.noTransaction(number)) }
        return CommandError(
            "Transaction \(number) is no longer in the history, which has been purged through transaction \(floor).",
            nil, .noRows)
    }

    /// Returns the error for an `id` that no quake in the pinned state has.
    func unknownQuake(_ id: String) throws -> CommandError {
        guard !id.isBlank else { return CommandError("The id is empty.", nil, .usage) }
        if isPast {
            let present = try QuakeContext(cache, access: .reading)
            if let key = try present.key(ofID: id) {
                let first = try present.history.firstPublication(ofKey: key)
                return CommandError(
                    "The cache has no state of \(id) at that point.",
                    first.map { "Its first state is from the copy of the feed published at \($0.momentWords)." },
                    .noRows)
            }
        }
        return CommandError("No quake in the cache has the current or former id \(id).", nil, .noRows)
    }
}
