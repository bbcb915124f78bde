import Foundation
import QuakeTestSupport
import Testing

/// A cache for one test, with the built program.
struct Cache: Sendable {
    let path: String
    let quakes: ProcessRunner
    let directory: ScratchDirectory

    /// Creates a value for a cache that does not exist yet, in `directory`.
    init(in directory: ScratchDirectory, name: String = "quakes.db", environment: [String: String?] = [:]) {
        path = directory.path(name)
        self.directory = directory
        // A refresh without a name must never query the real server.
        let surroundings: [String: String?] = [
            "QUAKES_DB": path, "HOME": directory.url.path, "QUAKES_BASE_URL": "http://127.0.0.1:9", "COLUMNS": nil,
        ]
        quakes = ProcessRunner(environment: surroundings.merging(environment) { $1 })
    }

    @discardableResult
    func run(_ arguments: String..., input: Data = Data()) async throws -> ProcessResult {
        try await quakes.run(arguments, input: input)
    }

    /// Runs `quakes` with `arguments`, expects success, and returns its output.
    @discardableResult
    func output(_ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation) async throws -> String {
        let result = try await quakes.run(arguments)
        #expect(result.exitStatus == 0, "\(arguments): \(result.errorOutput)", sourceLocation: sourceLocation)
        return result.output
    }

    /// Returns the output of `quakes` with `arguments`, as JSON.
    func json(_ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation) async throws -> JSONValue {
        let result = try await quakes.run(arguments)
        #expect(result.exitStatus == 0, "\(arguments): \(result.errorOutput)", sourceLocation: sourceLocation)
        return try JSONValue(result.standardOutput)
    }

    /// Returns the output of `quakes` with `arguments`, as JSON line by line.
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

    /// Refreshes from real weeks before these moments of July 2021.
    func refreshWeeks(_ moments: String...) async throws {
        for moment in moments {
            try await output("refresh", RealData.url("feeds/all_week__2021-07-\(moment)__api1.10.3.geojson").path)
        }
    }

    /// Returns the token of the newest transaction.
    func token() async throws -> String {
        try #require(try await json("status", "--format", "json")["token"].text)
    }

    /// Returns the bytes of all the cache's files, to check that they are unchanged.
    func bytes() throws -> [String: Data] {
        var result: [String: Data] = [:]
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
            result[suffix] = try Data(contentsOf: URL(filePath: path + suffix))
        }
        return result
    }
}

extension Cache {
    /// Returns a cache in the test's directory. The suite must have the trait `.scratch`.
    static func ofTest(environment: [String: String?] = [:]) throws -> Cache {
        Cache(in: try ScratchDirectory.ofTest(), environment: environment)
    }

    /// Returns the same, with the quakes of `all_day-1`.
    static func ofDay(environment: [String: String?] = [:]) async throws -> Cache {
        let cache = try ofTest(environment: environment)
        try await cache.refresh("all_day-1")
        return cache
    }

    /// Returns the same and the directory.
    static func andFolderOfTest() throws -> (Cache, ScratchDirectory) { (try ofTest(), try ScratchDirectory.ofTest()) }

    /// Returns the same, with the quakes of `all_day-1`.
    static func andFolderOfDay() async throws -> (Cache, ScratchDirectory) {
        (try await ofDay(), try ScratchDirectory.ofTest())
    }
}

/// Runs `body` with a new cache, which is removed afterward.
func withCache(
    on medium: ScratchDirectory.Medium = .memory, environment: [String: String?] = [:],
    _ body: (Cache, ScratchDirectory) async throws -> Void
) async throws {
    try await withScratchDirectory(on: medium) { scratch in
        try await body(Cache(in: scratch, environment: environment), scratch)
    }
}
