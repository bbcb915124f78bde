import QuakeModel

/// Each kind of versions has a table. `position` counts a quake's versions in the order of publication; one that is
/// `deleted` has no values. Key and position are one number: a table by two columns takes twice the space.
extension SolutionKind {
    private static let identity = ["id", "product", "source", "code", "published", "weight", "deleted"]

    /// The numbers of the versions of a quake. A document has fewer than 65,536 of a kind.
    private static func ids(ofKey key: QuakeKey) -> (first: Int64, last: Int64) {
        (key.rawValue << 16, key.rawValue << 16 | 0xFFFF)
    }

    var table: CheckedTable {
        CheckedTable(
            rawValue, key: "id",
            """
            id INTEGER PRIMARY KEY, product TEXT NOT NULL, source TEXT NOT NULL, code TEXT NOT NULL,
            published INTEGER NOT NULL, weight INTEGER NOT NULL, deleted INTEGER NOT NULL,
            \(fields.map(\.columnDefinition).joined(separator: ", ")),
            quake INTEGER AS (id >> 16), position INTEGER AS (id & 65535)
            """, bound: (Self.identity + fields.map(\.rawValue)).joined(separator: ", "))
    }

    func insert(_ versions: [SolutionVersion], ofKey key: QuakeKey, to database: Database) throws {
        let statement = try database.cached(table.insertion())
        for (position, version) in versions.enumerated() {
            let identity: [QuakeValue] = [
                .integer(Self.ids(ofKey: key).first + Int64(position)), .text(version.product), .text(version.source),
                .text(version.code), .integer(version.published.milliseconds), .integer(version.weight),
                .integer(version.values == nil ? 1 : 0),
            ]
            try statement.bindAll(identity + fields.map { version[$0] })
            try statement.run()
        }
    }

    func delete(ofKey key: QuakeKey, from database: Database) throws {
        let ids = Self.ids(ofKey: key)
        try database.run("DELETE FROM \(rawValue) WHERE id BETWEEN ? AND ?", ids.first, ids.last)
    }

    func versions(ofKey key: QuakeKey, in database: Database) throws -> [SolutionVersion] {
        let first = Int32(Self.identity.count)
        let ids = Self.ids(ofKey: key)
        let columns = table.columns.joined(separator: ", ")
        return try database.all(
            "SELECT \(columns) FROM main.\(rawValue) WHERE id BETWEEN ? AND ? ORDER BY id", ids.first, ids.last
        ) { row in
            var version = SolutionVersion(
                product: row.text(1), source: row.text(2), code: row.text(3),
                published: row.timestamp(4), weight: row.integer(5))
            guard row.integer(6) == 0 else { return version }
            var values: [SolutionField: QuakeValue] = [:]
            for (index, field) in fields.enumerated() where !row.isNull(first + Int32(index)) {
                let column = first + Int32(index)
                values[field] =
                    switch field.kind {
                    case .text: .text(row.text(column))
                    case .integer, .time: .integer(row.integer(column))
                    case .real: .real(row.real(column))
                    }
            }
            version.values = values
            return version
        }
    }
}

extension SolutionField {
    var columnDefinition: String {
        switch kind {
        case .text: "\(rawValue) TEXT"
        case .integer, .time: "\(rawValue) INTEGER"
        case .real: "\(rawValue) REAL"
        }
    }
}

extension SolutionHistory {
    init(ofKey key: QuakeKey, in database: Database) throws {
        self.init(try SolutionKind.allCases.reduce(into: [:]) { $0[$1] = try $1.versions(ofKey: key, in: database) })
    }
}
