import Foundation

/// A cache as the first released version wrote it: Fixtures/caches/version-1.sql.
public enum OldCache {
    /// Writes it to the file at `path`, which must not exist.
    public static func write(to path: String) throws {
        try Data().write(to: URL(filePath: path), options: .withoutOverwriting)
        let file = try SQLiteFile(path: path, isReadOnly: false)
        try file.execute("PRAGMA journal_mode = WAL")
        try file.execute(String(decoding: try Fixture.data("caches/version-1.sql"), as: UTF8.self))
    }
}
