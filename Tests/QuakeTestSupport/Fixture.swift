public import Foundation

/// The feeds and databases of the project's own making, in Fixtures/.
public enum Fixture {
    /// The project's directory.
    public static let projectDirectory = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The address of the fixture at `path` below Fixtures/.
    public static func url(_ path: String) -> URL {
        projectDirectory.appending(path: "Fixtures").appending(path: path)
    }

    /// The bytes of the fixture at `path`.
    public static func data(_ path: String) throws -> Data {
        try Data(contentsOf: url(path))
    }

    /// The names of what lies in the directory at `path`, sorted.
    public static func names(in path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url(path).path).sorted()
    }
}
