import QuakeModel

/// The checks of a cache that look at one table at a time, or at two.
struct CacheChecks {
    let context: QuakeContext
    let database: Database
    let log: FindingLog

    func run(full: Bool) throws {
        try log.run(.file) { try checkFile(full: full) }
        try log.run(.schema, checkSchema)
        for table in CheckedTable.all { try log.run(.rows) { try checkRows(of: table) } }
        try log.run(.rows, checkPossibleValues)
        try log.run(.store, checkStore)
        try log.run(.transactions) { try TransactionChecks(database: database, log: log).run() }
        try log.run(.values) { try HistoryReplay(database: database, log: log).run() }
        try log.run(.aliases, checkAliases)
        try log.run(.references, checkReferences)
        try log.run(.references, checkListedKeys)
        try log.run(.consumers, checkConsumers)
        try log.run(.solutions) { try SolutionChecks(database: database, log: log).run() }
    }

    /// Lets SQLite check the pages of the file.
    func checkFile(full: Bool) throws {
        try database.forEach("PRAGMA main.\(full ? "integrity_check" : "quick_check")") { row in
            // One row may hold several lines, the first of which names the database.
            for line in row.text(0).split(separator: "\n") where line != "ok" && !line.hasPrefix("***") {
                log.add(.file, String(line))
            }
        }
        // quick_check does not look whether an index has an entry for each row.
        for (table, index) in [
            ("quakes", "quakes_by_time"), ("quakes", "quakes_by_place"), ("aliases", "aliases_by_quake"),
            ("changes", "changes_by_quake"),
        ] {
            let rows = try database.integer("SELECT count(*) FROM \(table) NOT INDEXED")
            let entries = try database.integer("SELECT count(*) FROM \(table) INDEXED BY \(index)")
            if rows != entries {
                log.add(.file, "the index \(index) does not have as many entries as \(table) has rows")
            }
        }
    }

    /// Compares with a new cache in memory. What somebody added is no damage.
    private func checkSchema() throws {
        let model = try Database(draftAt: ":memory:")
        try SchemaObjects.create(model, at: context.cache.configuration.now())
        let here = try statements(database)
        for (name, sql) in try statements(model).sorted(by: { $0.key < $1.key }) {
            guard let found = here[name] else {
                log.add(.schema, "\(name) is missing")
                continue
            }
            if found != sql { log.add(.schema, "\(name) is not that of version \(Schema.version)") }
        }
    }

    /// The SQL of each object of the schema, by type and name.
    private func statements(_ database: Database) throws -> [String: String] {
        let objects = try database.all(
            "SELECT type, name, sql FROM main.sqlite_master WHERE name NOT LIKE 'sqlite^_%' ESCAPE '^'"
        ) {
            ("the \($0.text(0)) \($0.text(1))", $0.text(2))
        }
        return Dictionary(objects) { first, _ in first }
    }

    private func checkRows(of table: CheckedTable) throws {
        try report(.rows, table.faults) { row in
            let reason = row.integer(1) == 1 ? "does not match its checksum" : "has a null byte in a text"
            return "row \(row.text(0)) of \(table.name) \(reason)"
        }
    }

    private func checkPossibleValues() throws {
        let (moments, depths) = (Timestamp.representable, Hypocenter.possibleDepths)
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
        let rows = try database.integer("SELECT count(*) FROM store") ?? 0
        if rows != 1 { log.add(.store, "there are \(rows) store rows instead of one") }
        let head = try context.history.head()
        if HistoryToken(head.description) == head {
            log.note(token: head)
        } else {
            log.add(.store, "the store's id or its newest transaction gives no valid token")
        }
        for (table, column) in [("quakes", "key"), ("changes", "id"), ("transactions", "number")] {
            let last = try database.integer("SELECT max(\(column)) FROM \(table)") ?? 0
            let given = try database.lastNumber(of: table)
            if given < last {
                log.add(.store, "the next number of \(table) would follow \(given), though \(last) was given")
            }
            if given >= Database.mostNumbers {
                log.add(.store, "the numbers of \(table) cannot go on after \(given)")
            }
        }
    }

    private func checkAliases() throws {
        log.count(\.aliases, Int(try database.integer("SELECT count(*) FROM aliases") ?? 0))
        try report(
            .aliases,
            """
            SELECT alias, quake FROM aliases a WHERE NOT EXISTS (SELECT 1 FROM quakes WHERE key = a.quake)
                AND NOT EXISTS (SELECT 1 FROM departed WHERE quake = a.quake)
            """
        ) { "the id \($0.text(0)) resolves to quake \($0.integer(1)), which neither exists nor was deleted" }
        try report(
            .aliases,
            """
            SELECT net || code, key FROM quakes q
            WHERE NOT EXISTS (SELECT 1 FROM aliases a WHERE a.alias = q.net || q.code AND a.quake = q.key)
            """
        ) { "the id \($0.text(0)) does not resolve to its quake \($0.integer(1))" }
        let known = try database.prepare("SELECT 1 FROM aliases WHERE alias = ?")
        let renamed = "SELECT ids, key FROM quakes NOT INDEXED WHERE ids <> ',' || net || code || ','"
        try database.forEach(renamed) { listed in
            for id in PublishedSet(canonical: listed.text(0)).members where Quake.isPlainID(id) {
                try known.bind(1, id)
                defer { known.reset() }
                if try !known.step() {
                    log.add(.aliases, "the id \(id) of quake \(listed.integer(1)) does not resolve")
                }
            }
        }
    }

    private func checkReferences() throws {
        try report(.references, "SELECT quake FROM departed WHERE quake IN (SELECT key FROM quakes)") {
            "quake \($0.integer(0)) both exists and is marked as deleted"
        }
        try report(
            .references,
            """
            SELECT quake, merged_into FROM departed d WHERE merged_into IS NOT NULL
                AND NOT EXISTS (SELECT 1 FROM quakes WHERE key = d.merged_into)
                AND NOT EXISTS (SELECT 1 FROM departed WHERE quake = d.merged_into)
            """
        ) { "quake \($0.integer(0)) was merged into quake \($0.integer(1)), which neither exists nor was deleted" }
        try report(.references, "SELECT quake, kind FROM doubts WHERE quake NOT IN (SELECT key FROM quakes)") {
            "an unconfirmed change (\($0.text(1))) refers to quake \($0.integer(0)), which does not exist"
        }
    }

    private func checkListedKeys() throws {
        try database.forEach("SELECT name, roster FROM feeds WHERE roster IS NOT NULL ORDER BY name") { feeds in
            for key in ListedKeys(packed: feeds.blob(1)).keys {
                let isKnown = try database.integer(
                    """
                    SELECT EXISTS (SELECT 1 FROM quakes WHERE key = ?1) OR EXISTS (SELECT 1 FROM departed WHERE quake = ?1)
                    """, key)
                if isKnown != 1 {
                    log.add(.references, "the feed \(feeds.text(0)) lists quake \(key), which never existed")
                }
            }
        }
    }

    /// A token that cannot be followed is no damage where the history went another way: it was purged, or a backup was
    /// restored while the consumer read. The consumer's next read tells it.
    private func checkConsumers() throws {
        for consumer in try context.history.consumers() {
            guard let token = consumer.token else {
                log.add(.consumers, "the consumer \(consumer.name) has no valid token")
                continue
            }
            // A token that leads nowhere is no damage: its history was purged, or the cache restored, while the consumer
            // was reading.
            guard try context.history.fault(of: token) == nil, consumer.number != token.number else { continue }
            log.add(
                .consumers,
                "the consumer \(consumer.name) is recorded at \(consumer.number), but its token is at \(token.number)"
            )
        }
    }

    private func report(_ check: Verification.Check, _ sql: String, _ words: (Statement) -> String) throws {
        try database.forEach(sql) { log.add(check, words($0)) }
    }
}
