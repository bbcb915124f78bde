public import Foundation

/// A directory that exists for one test.
public struct ScratchDirectory: Sendable {
    /// The medium on which the directory is stored.
    public enum Medium: Sendable {
        /// Memory, if the system offers it: for every test that is not about the disk.
        case memory
        /// The disk, or whatever holds temporary files.
        case disk

        fileprivate var directory: URL {
            let shared = "/dev/shm"
            guard case .memory = self, FileManager.default.isWritableFile(atPath: shared) else {
                return FileManager.default.temporaryDirectory
            }
            return URL(filePath: shared)
        }
    }

    public let url: URL
    /// The servers that stop when the directory is removed.
    let servers = ScratchServers()

    public func path(_ name: String) -> String { url.appending(path: name).path }

    /// Writes `data` to the file `name` and returns its path.
    @discardableResult
    public func write(_ data: Data, to name: String) throws -> String {
        try data.write(to: url.appending(path: name))
        return path(name)
    }

    fileprivate init(on medium: Medium) throws {
        url = medium.directory.appending(path: "quakes-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    fileprivate func remove() {
        servers.stop()
        try? FileManager.default.removeItem(at: url)
    }
}

/// Runs `body` with a directory that is removed afterward.
@discardableResult
public func withScratchDirectory<Result>(
    on medium: ScratchDirectory.Medium = .memory, _ body: (ScratchDirectory) throws -> Result
) throws -> Result {
    let directory = try ScratchDirectory(on: medium)
    defer { directory.remove() }
    return try body(directory)
}

/// Runs `body` with a directory that is removed afterward.
@discardableResult
public func withScratchDirectory<Result: Sendable>(
    on medium: ScratchDirectory.Medium = .memory, _ body: (ScratchDirectory) async throws -> Result
) async throws -> Result {
    let directory = try ScratchDirectory(on: medium)
    defer { directory.remove() }
    return try await body(directory)
}
