/// The tables, indexes, triggers, and views of a cache.
enum SchemaObjects {
    /// Creates the tables, indexes and triggers of schema version 1.
    static func createVersion1(in database: Database) throws {
        try database.execute(CheckedTable.ofVersion1.map(\.definition).joined(separator: "\n"))
        try database.execute(indexes)
        for table in ["quakes", "aliases", "transactions", "changes", "rows_before"] {
            try database.execute(guardTriggers(on: table))
        }
    }

    /// Creates the views, replacing those of an earlier version.
    static func createViews(in database: Database) throws {
        for (name, query) in views {
            try database.execute("DROP VIEW IF EXISTS \(name); CREATE VIEW \(name) AS \(query)")
        }
    }

    /// `quakes_by_time` serves the most frequent queries without reading the table: the quakes in a feed's window with
    /// their hashes, the newest quakes (with ties sorted by id, as in `list`), and the quakes of at least a given
    /// magnitude. Times ascend, because an index that grows at its beginning has half-empty pages.
    private static let indexes = """
        CREATE INDEX quakes_by_time ON quakes (time, (net || code) DESC, mag, hash);
        CREATE INDEX quakes_by_place ON quakes (\(PlaceGrid.expression));
        CREATE INDEX aliases_by_quake ON aliases (quake);
        CREATE INDEX changes_by_quake ON changes (quake);
        """

    /// Triggers that reject every write to the table, because the history would lack the change. The library's own
    /// connections run no triggers, so the library can still write, at no cost.
    private static func guardTriggers(on table: String) -> String {
        ["INSERT", "UPDATE", "DELETE"].map { operation in
            """
            CREATE TRIGGER guard_\(table)_\(operation.lowercased()) BEFORE \(operation) ON \(table)
            BEGIN SELECT RAISE(ABORT, 'a quakes cache can be changed only with the `quakes` program, which records every change'); END;
            """
        }.joined(separator: "\n")
    }

    private static let originColumns = SolutionKind.origins.fields.map {
        "json_extract(p.properties, '$.\($0.rawValue)') AS \($0.rawValue)"
    }

    /// The public views, which only ever gain columns.
    private static let views = [
        ("quakes_v1", quakesView), ("changes_v1", ChangesView.query), ("solutions_v1", solutionsView),
    ]

    private static let quakesView = """
        SELECT
            net || code AS id, time, lat, lon, depth, mag, magType, place, type, status, updated, felt, cdi, mmi, alert,
            tsunami, sig, net, code, ids, sources, types, nst, dmin, rms, gap, horizontal_error, depth_error, mag_error,
            mag_nst, location_source, mag_source, tz,
            \(DerivedColumns.title) AS title, \(DerivedColumns.url) AS url, \(DerivedColumns.detail) AS detail,
            extra, key AS quake
        FROM quakes
        """

    private static let solutionsView = """
        SELECT
            q.net || q.code AS id, p.published AS published, p.source AS source, p.code AS code, p.product AS product,
            p.weight AS weight, p.properties IS NULL AS deleted,
            \(originColumns.joined(separator: ", ")), q.key AS quake
        FROM products p JOIN quakes q ON q.key = p.quake WHERE p.product IN ('origin', 'trump-origin')
        """
}

/// The SQL for the derived properties, matching `Quake.title`, `.pageURL`, and `.detailURL`.
private enum DerivedColumns {
    static let title = """
        coalesce(title, 'M ' || CASE WHEN mag IS NULL THEN '?' ELSE replace(printf('%s%.1f', \
        CASE WHEN mag <= -0.05 THEN '-' ELSE '' END, abs(mag) + 1e-10), '-0.0', '0.0') END || ' - ' || coalesce(place, ''))
        """
    static let url = "coalesce(url, '\(Quake.eventPages)' || net || code)"
    static let detail = "coalesce(detail, '\(Quake.detailFeeds)' || net || code || '\(Quake.detailSuffix)')"
}
