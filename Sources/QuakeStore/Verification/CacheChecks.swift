/// The checks of a cache. They detect damage by disks and other programs, not bugs of this program.
struct CacheChecks {
    let session: StoreSession
    let database: Database
    let log: FindingLog

    func run(full: Bool) throws {
        try log.run(.file) { try checkFile(full: full) }
        try log.run(.schema, checkSchema)
        for table in CheckedTable.all { try log.run(.rows) { try checkRows(of: table) } }
        try log.run(.rows, checkPossibleValues)
        try log.run(.store, checkStore)
        try log.run(.values, replayHistory)
        try log.run(.aliases, checkAliases)
    }

    /// Makes SQLite check the pages of the file.
    func checkFile(full: Bool) throws {
        try database.forEach("PRAGMA main.\(full ? "integrity_check" : "quick_check")") { row in
            // A row of the pragma's result may contain several lines, the first of which names the database.
            for line in row.text(0).split(separator: "\n") where line != "ok" && !line.hasPrefix("***") {
                log.add(.file, String(line))
            }
        }
        // quick_check does not verify that an index has an entry for each row.
        for (table, index) in [
            ("quakes", "quakes_by_time"), ("quakes", "quakes_by_place"), ("aliases", "aliases_by_quake"),
            ("changes", "changes_by_quake"),
        ] {
            let rows = try database.integer("SELECT count(*) FROM \(table) NOT INDEXED")
            let entries = try database.integer("SELECT count(*) FROM \(table) INDEXED BY \(index)")
            if rows != entries {
                log.add(.file, "the index \(index) and the table \(table) have different numbers of entries")
            }
        }
    }

    /// Compares the schema with the schema of a new cache in memory. Objects that someone has added are not damage.
    private func checkSchema() throws {
        let model = try Database(draftAt: ":memory:")
        try Schema.current.build(in: model)
        let here = try statements(database)
        for (name, sql) in try statements(model).sorted(by: { $0.key < $1.key }) {
            guard let found = here[name] else {
                log.add(.schema, "\(name) is missing")
                continue
            }
            if found != sql {
                log.add(.schema, "\(name) differs from that of schema version \(Schema.current.version)")
            }
        }
    }

    /// Returns the SQL of each schema object, keyed by type and name.
    private func statements(_ database: Database) throws -> [String: String] {
        let objects = try database.all(
            "SELECT type, name, sql FROM main.sqlite_master WHERE name NOT LIKE 'sqlite^_%' ESCAPE '^'"
        ) {
            ("the \($0.text(0)) \($0.text(1))", $0.text(2))
        }
        return Dictionary(objects) { first, _ in first }
    }

    private func checkRows(of table: CheckedTable) throws {
        try report(.rows, table.faultsQuery) { row in
            let reason = row.integer(1) == 1 ? "does not match its checksum" : "has a text value with a null byte"
            return "row \(row.text(0)) of the table \(table.name) \(reason)"
        }
    }

    private func checkPossibleValues() throws {
        let moments = Timestamp.representable
        let depths = Hypocenter.possibleDepths
        try database.forEach(
            """
            SELECT key, net || code FROM quakes NOT INDEXED WHERE NOT (
                lat BETWEEN -90 AND 90 AND lon BETWEEN -180 AND 180 AND coalesce(depth BETWEEN ?1 AND ?2, 1)
                AND time BETWEEN ?3 AND ?4 AND updated BETWEEN ?3 AND ?4)
            """, depths.lowerBound, depths.upperBound, moments.lowerBound.milliseconds, moments.upperBound.milliseconds
        ) { row in
            log.add(.rows, "quake \(row.integer(0)) (\(row.text(1))) has an impossible location or time")
        }
    }

    private func checkStore() throws {
        let head = try StoreHistory(session: session).currentToken()
        if HistoryToken(head.description) == head {
            log.record(token: head)
        } else {
            log.add(.store, "the store's id and newest transaction do not form a valid token")
        }
        for (table, column) in [("quakes", "key"), ("changes", "id"), ("transactions", "number")] {
            let last = try database.integer("SELECT max(\(column)) FROM \(table)") ?? 0
            let given = try database.lastNumber(of: table)
            if given < last {
                log.add(.store, "the next number of \(table) would follow \(given), but \(last) is already in use")
            }
            if given >= Database.maximumNumbers {
                log.add(.store, "the numbering of \(table) cannot continue after \(given)")
            }
        }
    }

    private func checkAliases() throws {
        log.count(\.aliases, try count(of: "aliases"))
        try report(
            .aliases,
            """
            SELECT net || code, key FROM quakes q
            WHERE NOT EXISTS (SELECT 1 FROM aliases a WHERE a.alias = q.net || q.code AND a.quake = q.key)
            """
        ) { "the id \($0.text(0)) does not lead to its quake, number \($0.integer(1))" }
    }

    private func report(_ check: VerificationReport.Check, _ sql: String, _ words: (Statement) -> String) throws {
        try database.forEach(sql) { log.add(check, words($0)) }
    }
}
