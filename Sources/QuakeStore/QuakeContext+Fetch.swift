import GRDB
public import QuakeModel

extension QuakeContext {
    /// Calls `body` with every row the descriptor asks for, reduced to `fields`, without holding more than one.
    public func forEachRow(
        _ descriptor: QuakeDescriptor, fields: [QuakeProperty], _ body: (StoredRow) throws -> Void
    ) throws {
        let layout = RowLayout(fields)
        let columns = layout.columns.isEmpty ? "key" : layout.columns.joined(separator: ", ")
        try forEach(QuakeQuery(descriptor, columns: columns, from: source())) {
            try body(StoredRow(statement: $0, layout: layout))
        }
    }

    /// The quakes the descriptor asks for.
    public func fetch(_ descriptor: QuakeDescriptor = QuakeDescriptor()) throws -> [StoredQuake] {
        var quakes: [StoredQuake] = []
        try enumerate(descriptor) { quakes.append($0) }
        return quakes
    }

    /// Calls `body` with every quake the descriptor asks for, without holding more than one.
    public func enumerate(
        _ descriptor: QuakeDescriptor = QuakeDescriptor(), _ body: (StoredQuake) throws -> Void
    ) throws {
        try forEach(QuakeQuery(descriptor, columns: "key, " + QuakeColumns.list(), from: source())) { row in
            try body(StoredQuake(key: row.integer(0), quake: row.quake(from: 1)))
        }
    }

    /// How many quakes the filter accepts.
    public func fetchCount(_ filter: QuakeFilter = QuakeFilter()) throws -> Int {
        let (sql, values) = try source().count(FilterSQL(filter))
        return try database { db in
            let statement = try SQLStatement(db, sql)
            statement.bind(values)
            defer { statement.reset() }
            return try statement.step() ? Int(statement.integer(0)) : 0
        }
    }

    /// The local keys of the quakes the descriptor asks for.
    public func fetchIdentifiers(_ descriptor: QuakeDescriptor = QuakeDescriptor()) throws -> [Int64] {
        var keys: [Int64] = []
        try forEachIdentifier(descriptor) { keys.append($0) }
        return keys
    }

    func forEachIdentifier(_ descriptor: QuakeDescriptor, _ body: (Int64) throws -> Void) throws {
        try forEach(QuakeQuery(descriptor, columns: "key", from: source())) { try body($0.integer(0)) }
    }

    /// The quake under a local key, unless it is deleted.
    public func quake(forKey key: Int64) throws -> StoredQuake? {
        let source = try source()
        return try database { db in
            let statement = try SQLStatement(db, source.oneByKey)
            statement.bind(1, key)
            defer { statement.reset() }
            return try statement.step() ? StoredQuake(key: key, quake: statement.quake(from: 0)) : nil
        }
    }

    /// The local key of the quake that has, or ever had, the id; compared without regard to case.
    public func key(ofID id: String) throws -> Int64? {
        let source = try source()
        let key: Int64? = try database { db in
            let statement = try SQLStatement(db, "SELECT quake FROM aliases WHERE alias = ?")
            statement.bind(1, id)
            defer { statement.reset() }
            return try statement.step() ? statement.integer(0) : nil
        }
        return try source == .past ? pastKey(ofID: id, today: key) : key
    }

    /// Every id that leads to the quake under `key`, sorted.
    public func aliases(ofKey key: Int64) throws -> [String] {
        let source = try source()
        let aliases: [String] = try database { db in
            let statement = try SQLStatement(db, "SELECT alias FROM aliases WHERE quake = ? ORDER BY alias")
            statement.bind(1, key)
            defer { statement.reset() }
            var aliases: [String] = []
            while try statement.step() { aliases.append(statement.text(0)) }
            return aliases
        }
        return try source == .past ? pastAliases(ofKey: key, today: aliases) : aliases
    }

    /// The quake that has, or ever had, the id, unless it is deleted.
    public func quake(forID id: String) throws -> StoredQuake? {
        try snapshot { try key(ofID: id).flatMap { try quake(forKey: $0) } }
    }

    private func forEach(_ query: QuakeQuery, _ body: (SQLStatement) throws -> Void) throws {
        try database { db in
            let statement = try query.prepare(db)
            defer { statement.reset() }
            while try statement.step() { try body(statement) }
        }
    }
}
