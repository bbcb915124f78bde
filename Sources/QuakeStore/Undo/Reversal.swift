import GRDB
import QuakeModel

/// Takes one transaction back, quake by quake, inside a new one.
///
/// What is to go makes room first: deletions, then updates, then returns, so that an id is free before it is given back.
struct Reversal {
    private let number: Int64
    private let range: Range<Int64>
    private let db: Database
    private let path: String
    private let writer: QuakeWriter
    private let rebuilder: StateRebuilder

    init(of number: Int64, context: QuakeContext, writer: QuakeWriter) throws {
        guard try context.transaction(number) != nil else { throw StoreError.noTransaction(number) }
        self.number = number
        self.writer = writer
        db = writer.db
        path = context.store.path
        range = try context.changeIDs(after: number - 1, through: number)
        rebuilder = try StateRebuilder(db, path: path)
    }

    /// Writes the values before. Returns how many quakes got them.
    func run() throws -> Int {
        try requireUntouched()
        var count = 0
        try forEach(where: { !$0.existedBefore && $0.existsAfter }) { touched in
            try remove(touched)
            count += 1
        }
        try forEach(where: { $0.existedBefore && $0.existsAfter }) { touched in
            let before = try state(before: touched)
            guard let known = try writer.knownQuake(touched.key) else { throw blocked(by: [before.id]) }
            try requireFree(before, for: touched.key)
            try writer.update(known.stored, to: before, reason: .undone)
            try assignPublishedIDs(of: before, to: touched.key)
            count += 1
        }
        try forEach(where: { $0.existedBefore && !$0.existsAfter }) { touched in
            try bringBack(touched)
            count += 1
        }
        return count
    }

    /// Calls `body` with the quakes the transaction touched. The rows are grouped, and so fixed, before the first is handed out.
    private func forEach(where isWanted: (TouchedQuakes) -> Bool, _ body: (TouchedQuakes) throws -> Void) throws {
        let statement = try SQLStatement(db, TouchedQuakes.sql + " ORDER BY g.quake", isShared: false)
        statement.bind(1, range.lowerBound)
        statement.bind(2, range.upperBound)
        defer { statement.reset() }
        while try statement.step() {
            let touched = TouchedQuakes(statement)
            if isWanted(touched) { try body(touched) }
        }
    }

    /// What changed since and came back to what the transaction left is no obstacle: undo after undo works so.
    private func requireUntouched() throws {
        let statement = try SQLStatement(
            db,
            """
            SELECT quake, max(id) FROM changes WHERE id >= ?1 AND id < ?2
                AND EXISTS (SELECT 1 FROM changes l WHERE l.quake = changes.quake AND l.id >= ?2) GROUP BY quake
            """, isShared: false)
        statement.bind(1, range.lowerBound)
        statement.bind(2, range.upperBound)
        defer { statement.reset() }
        var ids: [String] = []
        while ids.count < 10, try statement.step() {
            let key = statement.integer(0)
            let left = try rebuilder.state(of: key, after: statement.integer(1))
            if try writer.knownQuake(key)?.stored.quake != left { ids.append(try name(of: key)) }
        }
        guard ids.isEmpty else { throw blocked(by: ids) }
    }

    private func name(of key: Int64) throws -> String {
        if let known = try writer.knownQuake(key) { return known.stored.quake.id }
        return try rebuilder.state(of: key, after: range.upperBound - 1)?.id
            ?? rebuilder.state(of: key, after: range.lowerBound - 1)?.id ?? "quake \(key)"
    }

    private func state(before touched: TouchedQuakes) throws -> Quake {
        guard let state = try rebuilder.state(of: touched.key, after: touched.first - 1) else {
            throw StoreError.corrupt(path: path, reason: "the values before change \(touched.first) cannot be read")
        }
        return state
    }

    /// Another quake may have got the id meanwhile.
    private func requireFree(_ quake: Quake, for key: Int64) throws {
        let holder = try Int64.fetchOne(
            db, sql: "SELECT key FROM quakes WHERE net = ? AND code = ? AND key <> ?",
            arguments: [quake.net, quake.code, key])
        if holder != nil { throw blocked(by: [quake.id]) }
    }

    private func remove(_ touched: TouchedQuakes) throws {
        guard let known = try writer.knownQuake(touched.key) else { throw blocked(by: ["quake \(touched.key)"]) }
        // What an undo brought back after a merge goes back to where it was merged into.
        let survivor = try Int64.fetchOne(
            db,
            sql: """
                SELECT d.merged_into FROM changes i JOIN changes d ON d.quake = i.quake AND d.id < i.id
                WHERE i.id = ? AND i.reason = ? ORDER BY d.id DESC LIMIT 1
                """,
            arguments: [touched.first, ChangeReason.undone.rawValue])
        try writer.delete(
            known.stored, reason: .undone, mergedInto: survivor, generated: known.rowSource.generated)
    }

    private func bringBack(_ touched: TouchedQuakes) throws {
        let before = try state(before: touched)
        try requireFree(before, for: touched.key)
        let generated = try Int64.fetchOne(
            db, sql: "SELECT confirmed FROM departed WHERE quake = ?", arguments: [touched.key])
        try writer.insert(
            before, reason: .undone, key: touched.key, aliases: [],
            rowSource: RowSource(generated: generated ?? 0))
        try assignPublishedIDs(of: before, to: touched.key)
    }

    /// A quake merged away had its ids moved to the survivor: those it was published under come back, but for what is
    /// another quake's own id.
    private func assignPublishedIDs(of quake: Quake, to key: Int64) throws {
        for alias in quake.aliases {
            if case .live(let holder)? = try writer.target(ofID: alias), holder != key,
                let known = try writer.knownQuake(holder), known.stored.quake.id.isSameID(as: alias)
            {
                continue
            }
            try writer.assign(alias: alias, to: key)
        }
    }

    private func blocked(by ids: [String]) -> StoreError {
        .cannotUndo(transaction: number, quakes: ids)
    }
}
