/// The columns that contain a quake's values, in the order in which they are bound and read.
enum QuakeColumns {
    static let properties = [.net, .code] + QuakeProperty.allCases.filter { ![.id, .net, .code].contains($0) }
    static let names = properties.map(\.rawValue)

    static let definitions = """
        net TEXT NOT NULL, code TEXT NOT NULL, time INTEGER NOT NULL,
        lat REAL NOT NULL, lon REAL NOT NULL, depth REAL, mag REAL, magType TEXT, place TEXT, type TEXT, status TEXT,
        updated INTEGER NOT NULL, felt INTEGER, cdi REAL, mmi REAL, alert TEXT, tsunami INTEGER, sig INTEGER,
        ids TEXT NOT NULL, sources TEXT NOT NULL, types TEXT NOT NULL, nst INTEGER, dmin REAL, rms REAL, gap REAL,
        horizontal_error REAL, depth_error REAL, mag_error REAL, mag_nst INTEGER, location_source TEXT, mag_source TEXT,
        tz INTEGER, title TEXT, url TEXT, detail TEXT, extra TEXT
        """

    /// Returns the column names for a SELECT, each preceded by `prefix`.
    static func list(prefix: String = "") -> String { names.map { prefix + $0 }.joined(separator: ", ") }

    static let placeholders = names.map { _ in "?" }.joined(separator: ", ")
}

extension Quake {
    /// The values of the columns, in the order of ``QuakeColumns/names``.
    var columnValues: [QuakeValue] { QuakeColumns.properties.map { self[stored: $0] } }
}

extension Statement {
    /// Reads a quake from the columns starting at `first`, in the order of ``QuakeColumns/names``.
    func quake(from first: Int32) -> Quake {
        var quake = Quake.blank
        for (offset, property) in QuakeColumns.properties.enumerated() {
            quake[stored: property] = QuakeValue(copying: field(first + Int32(offset)))
        }
        return quake
    }
}
