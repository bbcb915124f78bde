/// The quakes of a transaction that an undo restores, and those that it leaves as they are because something else has
/// changed them since. Quakes joined by a merge, a split or a moved id are restored together or not at all.
///
/// A plan only reads the cache.
struct UndoPlan {
    let number: TransactionNumber
    let range: Range<ChangeID>
    /// The effects of the transaction other than its changes to quakes.
    let undoData: UndoData
    private(set) var restored: [TouchedQuake] = []
    private(set) var leftAsTheyAre: [TouchedQuake] = []
    /// The ids of the quakes that have changed since the transaction, or whose ids other quakes now have.
    private var obstacles: [String] = []
    private var joinedQuakes = DisjointQuakeSets()
    private var setsLeftAsTheyAre: Set<QuakeKey> = []
    private let database: Database
    private let rebuilder: StateRebuilder

    /// - Throws: ``StoreError/noTransaction(_:)`` for a transaction outside the retained history.
    init(of number: TransactionNumber, in history: StoreHistory) throws {
        guard try history.transaction(number) != nil else { throw StoreError.noTransaction(number) }
        self.number = number
        range = try history.changeIDs(ofTransaction: number)
        database = try history.session.database()
        rebuilder = try StateRebuilder(database)
        undoData = try UndoData(by: number, in: database)
        let touched = try TouchedQuake.all(in: range, database)
        try join(touched)
        let keys = Set(touched.map(\.key))
        for quake in touched {
            guard let obstacle = try obstacle(to: quake, touching: keys) else { continue }
            obstacles.append(obstacle)
            setsLeftAsTheyAre.insert(joinedQuakes.representative(of: quake.key))
        }
        for quake in touched {
            if leaves(quake.key) { leftAsTheyAre.append(quake) } else { restored.append(quake) }
        }
    }

    /// Whether the undo leaves the quake with `key` as it is, because that quake, or a quake joined with it, cannot be
    /// restored.
    func leaves(_ key: QuakeKey) -> Bool { setsLeftAsTheyAre.contains(joinedQuakes.representative(of: key)) }

    /// Returns how many quakes the undo restores, and how many it leaves as they are.
    ///
    /// - Parameter isPartial: whether quakes that have changed since may be left as they are.
    /// - Throws: ``StoreError/cannotUndo(transaction:quakes:)`` if quakes have changed since, and either `isPartial` is
    ///   false or nothing else is left to undo.
    func outcome(isPartial: Bool) throws -> UndoneQuakes {
        guard isPartial || obstacles.isEmpty else { throw undoError(blockedBy: obstacles) }
        let count = try restored.count { quake in
            guard quake.existedBefore, quake.existsAfter else { return quake.existedBefore || quake.existsAfter }
            let before = try state(before: quake)
            guard let now = try currentQuake(quake.key) else { throw undoError(blockedBy: [before.id]) }
            return !before.differences(from: now).isEmpty
        }
        guard count > 0 || obstacles.isEmpty else { throw undoError(blockedBy: obstacles) }
        return UndoneQuakes(restored: count, leftAsTheyAre: leftAsTheyAre.count)
    }

    /// Returns the values that the quake had before the transaction.
    func state(before touched: TouchedQuake) throws -> Quake {
        guard let state = try rebuilder.state(of: touched.key, after: touched.first.previous) else {
            throw StoreError.corrupt(
                path: database.path, reason: "the values before change \(touched.first) cannot be read")
        }
        return state
    }

    func undoError(blockedBy ids: [String]) -> StoreError { .cannotUndo(transaction: number, quakes: ids) }

    private func currentQuake(_ key: QuakeKey) throws -> Quake? {
        try database.first(QuakeSource().queryForKey, key) { $0.quake(from: 0) }
    }

    private mutating func join(_ touched: [TouchedQuake]) throws {
        // A quake that gained another quake's id must lose the id before the other quake regains it.
        var holders: [String: QuakeKey] = [:]
        for quake in touched {
            for state in [quake.first.previous, quake.last] {
                guard let id = try rebuilder.state(of: quake.key, after: state)?.id.lowercased() else { continue }
                joinedQuakes.join(quake.key, holders[id])
                holders[id] = quake.key
            }
        }
        let merges = try database.all(
            "SELECT quake, merged_into FROM changes WHERE id >= ? AND id < ? AND merged_into IS NOT NULL",
            range.lowerBound, range.upperBound
        ) { (quake: $0.key(0), survivor: $0.key(1)) }
        for merge in merges { joinedQuakes.join(merge.quake, merge.survivor) }
        for moved in undoData.movedIDs.values {
            if let old = moved.old { joinedQuakes.join(old, moved.new) }
        }
    }

    /// Returns the id of `quake` if something has changed the quake since the transaction; its former id if another
    /// quake has that id and keeps it after the undo; nil if nothing prevents the undo. Later changes that cancel out
    /// are ignored.
    ///
    /// - Parameter keys: the quakes that the transaction touched.
    private func obstacle(to quake: TouchedQuake, touching keys: Set<QuakeKey>) throws -> String? {
        let before = try rebuilder.state(of: quake.key, after: quake.first.previous)
        if quake.hasLaterChanges {
            let left = try rebuilder.state(of: quake.key, after: quake.last)
            let now = try currentQuake(quake.key)
            // Derived values, such as the title, are not compared (rule 12).
            let isUntouched = if let now, let left { now.differences(from: left).isEmpty } else { now == left }
            if !isUntouched { return now?.id ?? left?.id ?? before?.id ?? "quake \(quake.key)" }
        }
        guard let before, let holder = try database.quake(ofAlias: before.id), holder != quake.key,
            try currentQuake(holder)?.id.isSameID(as: before.id) == true
        else { return nil }
        // Two quakes never have the same id, so if the transaction touched the holder, the holder had another id
        // before.
        let losesID =
            keys.contains(holder)
            && joinedQuakes.representative(of: holder) == joinedQuakes.representative(of: quake.key)
        return losesID ? nil : before.id
    }
}
