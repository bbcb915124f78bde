/// Undoes one transaction inside a new one: deletions first, then updates, then insertions, so that an id is free
/// before its quake regains it (decision 0032). All changed ids are released before any quake regains its former id.
struct TransactionUndo {
    private let number: TransactionNumber
    private let range: Range<ChangeID>
    private let database: Database
    private let writer: QuakeWriter
    private let rebuilder: StateRebuilder

    init(of number: TransactionNumber, context: QuakeContext, writer: QuakeWriter) throws {
        guard try context.history.transaction(number) != nil else { throw StoreError.noTransaction(number) }
        (self.number, self.writer) = (number, writer)
        database = writer.database
        range = try context.history.changeIDs(ofTransaction: number)
        rebuilder = try StateRebuilder(database)
    }

    /// Restores the values from before the transaction. Returns the number of quakes restored.
    func run() throws -> Int {
        try requireUntouched()
        // The transaction may have moved ids and removed coverage, although every quake is as it was before.
        try writer.begin()
        let taken = try TakenBack(by: number, in: database)
        let touched = try TouchedQuake.all(in: range, database)
        let added = touched.filter { !$0.existedBefore && $0.existsAfter }
        let changed = try touched.filter { $0.existedBefore && $0.existsAfter }.map(restoration)
        let removed = touched.filter { $0.existedBefore && !$0.existsAfter }
        try added.forEach(remove)
        for (stored, before) in changed where before.id != stored.quake.id { try writer.freeID(of: stored.key) }
        for (stored, before) in changed { try restoreValues(stored, to: before) }
        try removed.forEach(bringBack)
        if let taken { try writer.giveBack(taken) }
        return added.count + changed.count + removed.count
    }

    /// Throws if a quake is no longer as the transaction left it. Later changes that cancel out are ignored.
    private func requireUntouched() throws {
        let later = try database.all(
            """
            SELECT quake, max(id) FROM changes WHERE id >= ?1 AND id < ?2
                AND EXISTS (SELECT 1 FROM changes l WHERE l.quake = changes.quake AND l.id >= ?2) GROUP BY quake
            """, range.lowerBound, range.upperBound
        ) { (key: $0.key(0), last: $0.change(1)) }
        var ids: [String] = []
        for (key, last) in later where ids.count < 10 {
            let left = try rebuilder.state(of: key, after: last)
            let now = try writer.knownQuake(key)?.stored.quake
            // Derived values, such as the title, are not compared, and alone are not restored (rule 12).
            let isUntouched = if let now, let left { now.differences(from: left).isEmpty } else { now == left }
            if !isUntouched { ids.append(try name(of: key)) }
        }
        guard ids.isEmpty else { throw blocked(by: ids) }
    }

    private func name(of key: QuakeKey) throws -> String {
        if let known = try writer.knownQuake(key) { return known.stored.quake.id }
        return try rebuilder.state(of: key, after: range.upperBound.previous)?.id
            ?? rebuilder.state(of: key, after: range.lowerBound.previous)?.id ?? "quake \(key)"
    }

    private func state(before touched: TouchedQuake) throws -> Quake {
        guard let state = try rebuilder.state(of: touched.key, after: touched.first.previous) else {
            throw StoreError.corrupt(
                path: database.path, reason: "the values before change \(touched.first) cannot be read")
        }
        return state
    }

    /// Returns a quake that existed both before and after the transaction, with its values now and before.
    private func restoration(_ touched: TouchedQuake) throws -> (stored: StoredQuake, before: Quake) {
        let before = try state(before: touched)
        guard let known = try writer.knownQuake(touched.key) else { throw blocked(by: [before.id]) }
        return (known.stored, before)
    }

    /// Throws if another quake now has the id of `quake`.
    private func requireFree(_ quake: Quake, for key: QuakeKey) throws {
        let holder = try database.integer(
            "SELECT key FROM quakes WHERE net = ? AND code = ? AND key <> ?", quake.net, quake.code, key)
        if holder != nil { throw blocked(by: [quake.id]) }
    }

    private func remove(_ touched: TouchedQuake) throws {
        guard let known = try writer.knownQuake(touched.key) else { throw blocked(by: ["quake \(touched.key)"]) }
        // If the quake had returned after a merge, merge it into the same quake again.
        let survivor = try database.integer(
            "SELECT merged_into FROM changes WHERE quake = ? AND id < ? ORDER BY id DESC LIMIT 1", touched.key,
            touched.first)
        try writer.delete(
            known.stored, reason: .undone, mergedInto: survivor.map(QuakeKey.init(_:)),
            generated: known.rowSource.generated)
    }

    private func restoreValues(_ stored: StoredQuake, to before: Quake) throws {
        try requireFree(before, for: stored.key)
        _ = try writer.change(stored, to: before, reason: .undone)
    }

    private func bringBack(_ touched: TouchedQuake) throws {
        let before = try state(before: touched)
        try requireFree(before, for: touched.key)
        let generated = try database.integer("SELECT confirmed FROM departed WHERE quake = ?", touched.key)
        try writer.insert(
            before, reason: .undone, key: touched.key, aliases: [before.id],
            rowSource: RowSource(generated: generated ?? 0))
    }

    private func blocked(by ids: [String]) -> StoreError { .cannotUndo(transaction: number, quakes: ids) }
}

/// A quake that a range of changes touched, and whether it existed before and after the range.
struct TouchedQuake {
    var key: QuakeKey
    /// The quake's first change in the range.
    var first: ChangeID
    var existedBefore: Bool
    var existsAfter: Bool

    static func all(in range: Range<ChangeID>, _ database: Database) throws -> [TouchedQuake] {
        try database.all(
            """
            SELECT g.quake, g.first, a.kind, b.kind FROM (
                SELECT quake, min(id) AS first, max(id) AS last FROM changes WHERE id >= ? AND id < ? GROUP BY quake
            ) g JOIN changes a ON a.id = g.first JOIN changes b ON b.id = g.last ORDER BY g.quake
            """, range.lowerBound, range.upperBound
        ) { row in
            TouchedQuake(
                key: row.key(0), first: row.change(1), existedBefore: row.integer(2) != ChangeKind.insert.code,
                existsAfter: row.integer(3) != ChangeKind.delete.code)
        }
    }
}
