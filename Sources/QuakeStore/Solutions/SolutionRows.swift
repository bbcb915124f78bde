extension SolutionHistory {
    init(ofKey key: QuakeKey, in database: Database) throws {
        let fields = SolutionField.allCases
        let versions = try database.all(
            """
            SELECT product, source, code, published, weight, properties IS NULL,
                \(fields.map { "json_extract(properties, '$.\($0.rawValue)')" }.joined(separator: ", "))
            FROM main.products WHERE quake = ? ORDER BY position
            """, key
        ) { row in
            var version = SolutionVersion(
                product: row.text(0), source: row.text(1), code: row.text(2), published: row.timestamp(3),
                weight: row.integer(4))
            guard row.integer(5) == 0 else { return version }
            let values = zip(fields, 6...).map { ($0, QuakeValue(copying: row.field($1))) }
            version.values = Dictionary(uniqueKeysWithValues: values.filter { $1 != .null })
            return version
        }
        self.init(Dictionary(grouping: versions) { $0.kind ?? .impacts })
    }

    func insert(ofKey key: QuakeKey, into database: Database) throws {
        let statement = try database.cachedStatement(CheckedTable.products.insertion())
        for (position, version) in SolutionKind.allCases.flatMap({ self[$0] }).enumerated() {
            try statement.run(
                key, position, version.product, version.source, version.code, version.published.milliseconds,
                version.weight, version.propertiesJSON)
        }
    }
}

extension SolutionVersion {
    /// The values as a JSON object, keyed by field name; nil for a version that deletes the solution.
    fileprivate var propertiesJSON: String? {
        guard values != nil else { return nil }
        let members = SolutionField.allCases.compactMap { field -> String? in
            switch self[field] {
            case .null: nil
            case .integer(let integer): "\"\(field.rawValue)\":\(integer)"
            case .real(let real): "\"\(field.rawValue)\":\(real)"
            case .text(let text): "\"\(field.rawValue)\":\(JSONText.quoted(text))"
            }
        }
        return "{" + members.joined(separator: ",") + "}"
    }
}

extension Database {
    /// Deletes the solutions of quakes that are neither in the cache nor in the retained history.
    func dropForgottenDetails() throws {
        for table in ["details", "products"] {
            try run(
                """
                DELETE FROM \(table) WHERE quake NOT IN (SELECT key FROM quakes)
                    AND quake NOT IN (SELECT quake FROM changes)
                """)
        }
    }
}
