public import Foundation

/// The project's own feeds and databases, in Fixtures/.
public enum Fixture {
    /// The project's directory.
    public static let projectDirectory = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Returns the address of the fixture at `path` below Fixtures/.
    public static func url(_ path: String) -> URL {
        projectDirectory.appending(path: "Fixtures").appending(path: path)
    }

    public static func data(_ path: String) throws -> Data { try Data(contentsOf: url(path)) }

    /// Returns the names of the files in the directory at `path`, sorted.
    public static func names(in path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url(path).path).sorted()
    }
}
