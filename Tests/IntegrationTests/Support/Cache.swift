import Foundation
import QuakeTestSupport
import Testing

/// A cache of one test, and the built program that works on it.
struct Cache: Sendable {
    let path: String
    let quakes: ProcessRunner
    private let directory: ScratchDirectory

    /// A cache that does not exist yet, in `directory`.
    init(in directory: ScratchDirectory, environment: [String: String?] = [:]) {
        path = directory.path("quakes.db")
        self.directory = directory
        // What a refresh without a name asks must never be the real server.
        let surroundings: [String: String?] = [
            "QUAKES_DB": path, "HOME": directory.url.path, "QUAKES_BASE_URL": "http://127.0.0.1:9", "COLUMNS": nil,
        ]
        quakes = ProcessRunner(environment: surroundings.merging(environment) { $1 })
    }

    /// Runs `quakes` with `arguments`.
    @discardableResult
    func run(_ arguments: String..., input: Data = Data()) async throws -> ProcessResult {
        try await quakes.run(arguments, input: input)
    }

    /// Runs `quakes` with `arguments`, expects success, and returns what it printed.
    @discardableResult
    func output(_ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation) async throws -> String {
        let result = try await quakes.run(arguments)
        #expect(result.exitStatus == 0, "\(arguments): \(result.errorOutput)", sourceLocation: sourceLocation)
        return result.output
    }

    /// What `quakes` prints with `arguments`, as JSON.
    func json(_ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation) async throws -> JSONValue {
        let result = try await quakes.run(arguments)
        #expect(result.exitStatus == 0, "\(arguments): \(result.errorOutput)", sourceLocation: sourceLocation)
        return try JSONValue(result.standardOutput)
    }

    /// What `quakes` prints with `arguments`, as JSON line by line.
    func records(_ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation) async throws -> [JSONValue]
    {
        let result = try await quakes.run(arguments)
        #expect(result.exitStatus == 0, "\(arguments): \(result.errorOutput)", sourceLocation: sourceLocation)
        return try result.output.split(separator: "\n").map { try JSONValue(Data($0.utf8)) }
    }

    /// Refreshes from the fixture feed `name`.
    @discardableResult
    func refresh(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) async throws -> JSONValue {
        try await json(
            "refresh", "--format", "json", Fixture.url("feeds/\(name).geojson").path, sourceLocation: sourceLocation)
    }

    /// The token of the newest transaction.
    func token() async throws -> String {
        try #require(try await json("status", "--format", "json")["token"].text)
    }

    /// The bytes of all files of the cache: equal means untouched.
    func bytes() throws -> [String: Data] {
        var result: [String: Data] = [:]
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
            result[suffix] = try Data(contentsOf: URL(filePath: path + suffix))
        }
        return result
    }
}

extension Cache {
    /// A cache in the directory of the test. The suite has the trait `.scratch`.
    static func ofTest() throws -> Cache { Cache(in: try ScratchDirectory.ofTest(), environment: [:]) }

    /// The same, and the directory.
    static func andFolderOfTest() throws -> (Cache, ScratchDirectory) { (try ofTest(), try ScratchDirectory.ofTest()) }
}

/// Runs `body` with a cache of its own, which is gone afterward.
func withCache(
    on medium: ScratchDirectory.Medium = .memory, environment: [String: String?] = [:],
    _ body: (Cache, ScratchDirectory) async throws -> Void
) async throws {
    try await withScratchDirectory(on: medium) { scratch in
        try await body(Cache(in: scratch, environment: environment), scratch)
    }
}
