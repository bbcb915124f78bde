public import Foundation

/// A directory that is there for one test.
public struct ScratchDirectory: Sendable {
    /// Where it is.
    public let url: URL

    /// The path of `name` in it.
    public func path(_ name: String) -> String {
        url.appending(path: name).path
    }

    /// Lays down `data` as the file `name` and returns its path.
    @discardableResult
    public func write(_ data: Data, to name: String) throws -> String {
        try data.write(to: url.appending(path: name))
        return path(name)
    }

    fileprivate init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "quakes-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    fileprivate func remove() {
        try? FileManager.default.removeItem(at: url)
    }
}

/// Runs `body` with a directory that is removed afterwards.
@discardableResult
public func withScratchDirectory<Result>(_ body: (ScratchDirectory) throws -> Result) throws -> Result {
    let directory = try ScratchDirectory()
    defer { directory.remove() }
    return try body(directory)
}

/// Runs `body` with a directory that is removed afterwards.
@discardableResult
public func withScratchDirectory<Result: Sendable>(
    _ body: (ScratchDirectory) async throws -> Result
) async throws -> Result {
    let directory = try ScratchDirectory()
    defer { directory.remove() }
    return try await body(directory)
}
