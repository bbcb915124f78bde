/// The columns that contain a quake's values, in the order in which they are bound and read.
enum QuakeColumns {
    /// The properties, starting with network, code, and time, which ``updateOfSameIdentity`` skips.
    static let properties = [.net, .code] + QuakeProperty.allCases.filter { ![.id, .net, .code].contains($0) }
    static let names = properties.map(\.rawValue)

    static let definitions = """
        net TEXT NOT NULL, code TEXT NOT NULL, time INTEGER NOT NULL,
        lat REAL NOT NULL, lon REAL NOT NULL, depth REAL, mag REAL, magType TEXT, place TEXT, type TEXT, status TEXT,
        updated INTEGER NOT NULL, felt INTEGER, cdi REAL, mmi REAL, alert TEXT, tsunami INTEGER, sig INTEGER,
        ids TEXT NOT NULL, sources TEXT NOT NULL, types TEXT NOT NULL, nst INTEGER, dmin REAL, rms REAL, gap REAL,
        tz INTEGER, title TEXT, url TEXT, detail TEXT, extra TEXT
        """

    /// Returns the column names for a SELECT, each preceded by `prefix`.
    static func list(prefix: String = "") -> String { names.map { prefix + $0 }.joined(separator: ", ") }

    static let placeholders = names.map { _ in "?" }.joined(separator: ", ")
    /// An UPDATE of all columns. The parameters are those of ``Statement/bind(_:from:)`` starting at 1, then
    /// `last_change`, `hash`, `confirmed`, and the key.
    static let update = update(from: 0)
    /// An UPDATE of all columns except network, code, and time, because naming an indexed column rewrites its index.
    static let updateOfSameIdentity = update(from: 3)

    private static func update(from first: Int) -> String {
        let count = names.count
        let values = names.enumerated().dropFirst(first).map { ($0.element, "?\($0.offset + 1)") }
        let source = [
            ("last_change", "?\(count + 1)"), ("hash", "?\(count + 2)"), ("confirmed", "max(confirmed, ?\(count + 3))"),
        ]
        return CheckedTable.quakes.update(values + source, where: "key = ?\(count + 4)")
    }
}

extension Statement {
    /// Binds the values of `quake`, starting at `first`, in the order of ``QuakeColumns/names``.
    func bind(_ quake: Quake, from first: Int32) throws {
        for (offset, property) in QuakeColumns.properties.enumerated() {
            try quake[stored: property].bind(to: self, at: first + Int32(offset))
        }
    }

    /// Reads a quake from the columns starting at `first`, in the order of ``QuakeColumns/names``.
    func quake(from first: Int32) -> Quake {
        var quake = Quake.blank
        for (offset, property) in QuakeColumns.properties.enumerated() {
            quake[stored: property] = QuakeValue(copying: field(first + Int32(offset)))
        }
        return quake
    }
}
