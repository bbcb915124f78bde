import FoundationEssentials
import QuakeModel

/// One pass over the quakes that a descriptor asks for.
///
/// What is saved comes from the database in its order. What is pending is merged into it, and what a predicate refuses
/// is left out; then the descriptor's offset and limit are counted here instead of in the database.
struct QuakeVisit {
    private let descriptor: QuakeDescriptor
    private let context: QuakeContext
    private let isSteady: Bool
    private let predicate: ((Quake) throws -> Bool)?
    private let condition: PredicateSQL?
    private let pending: PendingView?
    /// Holds the state over which ``pending`` is shown, where nothing else holds it.
    private let generation: HeldGeneration?

    /// - Parameter isSteady: whether the body is a caller's, which may write.
    init(
        _ descriptor: QuakeDescriptor, in context: QuakeContext, isSteady: Bool = false,
        where predicate: ((Quake) throws -> Bool)? = nil, condition: PredicateSQL? = nil
    ) throws {
        (self.condition, self.descriptor, self.context, self.isSteady) = (condition, descriptor, context, isSteady)
        let isPending = descriptor.includesPending && context.edits.hasChanges
        self.predicate = predicate
        generation = isPending && context.depth == 0 ? try context.generation() : nil
        pending = try context.reading(generation) { try PendingView.current(for: descriptor, in: context) }
    }

    /// Visits what `predicate` accepts, too.
    init(
        _ descriptor: QuakeDescriptor, in context: QuakeContext, isSteady: Bool = false,
        where predicate: Predicate<Quake>
    ) throws {
        try self.init(
            descriptor, in: context, isSteady: isSteady, where: predicate.evaluate, condition: PredicateSQL(predicate))
    }

    func quakes() throws -> [StoredQuake] {
        var quakes: [StoredQuake] = []
        try run { quakes.append($0) }
        return quakes
    }

    func run(_ body: (StoredQuake) throws -> Void) throws {
        if pending == nil, predicate == nil {
            return try forEach(descriptor) {
                try body($0)
                return true
            }
        }
        var page = Page(descriptor)
        func deliver(_ stored: StoredQuake) throws -> Bool {
            guard try predicate?(stored.quake) ?? true else { return true }
            guard page.takes() else { return !page.isFull }
            try body(stored)
            return !page.isFull
        }
        guard !page.isFull else { return }
        var everything = descriptor
        (everything.limit, everything.offset) = (nil, 0)
        var added = pending?.added(accepting: descriptor)[...] ?? []
        try forEach(everything) { saved in
            while let key = added.first, let quake = pending?.shownQuake(key),
                descriptor.isOrdered(quake, before: saved.quake)
            {
                added.removeFirst()
                guard try deliver(StoredQuake(key: key, quake: quake)) else { return false }
            }
            return pending?.hides(saved.key) == true ? true : try deliver(saved)
        }
        while !page.isFull, let key = added.popFirst(), let quake = pending?.shownQuake(key) {
            _ = try deliver(StoredQuake(key: key, quake: quake))
        }
    }

    func runKeys(_ body: (QuakeKey) throws -> Void) throws {
        guard pending == nil, predicate == nil else { return try run { try body($0.key) } }
        let query = try context.query(descriptor, and: condition, columns: "key")
        guard isSteady, context.isWriting else {
            return try context.walk(query, isSteady: isSteady) {
                try body($0.key(0))
                return true
            }
        }
        var keys: [QuakeKey] = []
        try context.forEach(query) { keys.append($0.key(0)) }
        try keys.forEach(body)
    }

    private func forEach(_ descriptor: QuakeDescriptor, _ body: (StoredQuake) throws -> Bool) throws {
        let query = try context.query(descriptor, and: condition, columns: "key, " + QuakeColumns.list())
        let visit = { (row: Statement) in try body(StoredQuake(key: row.key(0), quake: row.quake(from: 1))) }
        if isSteady, context.isWriting {
            try context.walkCopy(query, visit)
        } else {
            try context.walk(query, isSteady: isSteady, on: generation?.view(), visit)
        }
    }

    /// Counts off the offset and the limit of a descriptor.
    private struct Page {
        private var skipped: Int
        private var left: Int

        init(_ descriptor: QuakeDescriptor) {
            skipped = max(0, descriptor.offset)
            left = descriptor.limit.flatMap { $0 < 0 ? nil : $0 } ?? .max
        }

        var isFull: Bool { left == 0 }

        /// Whether the next quake is on the page.
        mutating func takes() -> Bool {
            if skipped > 0 {
                skipped -= 1
                return false
            }
            guard left > 0 else { return false }
            left -= 1
            return true
        }
    }
}

extension QuakeContext {
    /// Calls `body` with each row. The statement is not shared: `body` may ask the same question again.
    func forEach(_ query: QuakeQuery, _ body: (Statement) throws -> Void) throws {
        try walk(query) { row in
            try body(row)
            return true
        }
    }

    /// Calls `body` with each row until it returns false.
    ///
    /// - Parameter isSteady: whether `body` may write and must see one state all the same. A statement sees what its
    ///   own connection writes, and keeps it from writing after another one has committed, so the rows then come from a
    ///   reader of their own. Not for the state of a transaction that is still open: see ``walkCopy(_:_:)``.
    func walk(
        _ query: QuakeQuery, isSteady: Bool = false, on reader: Database? = nil,
        _ body: (Statement) throws -> Bool
    ) throws {
        let isApart = try settledGeneration() != nil || depth > 0 || !connection.isWritable
        let reader = try reader ?? (isSteady && !isApart ? openReader() : database())
        try withExtendedLifetime(reader) {
            let statement = try reader.prepare(query)
            while try statement.step(), try body(statement) {}
        }
    }

    /// Calls `body` with a copy of each row until it returns false: what a transaction has written so far no other
    /// connection sees, and `body` may write more.
    ///
    /// The copy lies in a temporary table, which SQLite moves to a file when it is large.
    ///
    /// - Parameter query: selects the key and all columns of quakes.
    func walkCopy(_ query: QuakeQuery, _ body: (Statement) throws -> Bool) throws {
        copies += 1
        defer { copies -= 1 }
        let table = "temp.copy_\(copies)"
        let columns = "key, \(QuakeColumns.list())"
        try connection.execute("CREATE TABLE IF NOT EXISTS \(table) AS SELECT \(columns) FROM main.quakes LIMIT 0")
        try connection.prepare(QuakeQuery("INSERT INTO \(table) (\(columns)) \(query.sql)", query.values)).run()
        let outcome = Result {
            let statement = try connection.prepare("SELECT \(columns) FROM \(table) ORDER BY rowid")
            while try statement.step(), try body(statement) {}
        }
        // Where SQLite has rolled the transaction back, the table is gone with it. It cannot be dropped while any
        // statement reads.
        if connection.isInsideTransaction { try connection.execute("DELETE FROM \(table)") }
        try outcome.get()
    }
}
