/// What the second released schema adds to the first.
enum SchemaVersion2 {
    /// Upgrades a cache of version 1.
    static func upgrade(_ database: Database) throws {
        // The place name that a doubt of kind `place` claims. Version 1 had room for a number only.
        try database.execute("ALTER TABLE doubts ADD COLUMN name TEXT")
    }
}
