import Foundation
import QuakeStore
import QuakeTestSupport

/// A cache in a scratch directory, with the built program and feeds to change it.
struct HistoryCache: Sendable {
    let directory: ScratchDirectory
    let path: String
    let runner: ProcessRunner

    init(_ directory: ScratchDirectory, name: String = "quakes.db") {
        self.directory = directory
        path = directory.path(name)
        runner = ProcessRunner("quakes", environment: ["QUAKES_DB": path])
    }

    /// Runs `quakes` with the cache.
    @discardableResult
    func run(_ arguments: String...) async throws -> ProcessResult {
        try await runner.run(arguments)
    }

    /// Returns the lines that `quakes` writes, and its exit status.
    func lines(_ arguments: String...) async throws -> (lines: [String], status: Int32?) {
        let result = try await runner.run(arguments)
        return (result.output.split(separator: "\n").map(String.init), result.exitStatus)
    }

    /// Returns the records that `quakes changes` writes with `arguments`.
    func records(_ arguments: String...) async throws -> [Record] {
        let result = try await runner.run(["changes", "--format", "ndjson"] + arguments)
        return result.output.split(separator: "\n").compactMap { Record(String($0)) }
    }

    /// Returns the number of transactions that `quakes history` lists.
    func transactionCount() async throws -> Int {
        try await lines("history").lines.count { $0.contains(#/^\d\d:\d\d /#) }
    }

    /// The newest token.
    func token() async throws -> String {
        try await run("token").output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Changes the cache through the library, as another process would.
    func edit(author: String = "test", _ body: @escaping @Sendable (QuakeWriter) throws -> Void) throws {
        try QuakeCache(path: path).context(author: author, access: .creating).write { try body($0) }
    }

    /// Inserts quakes with the serial numbers in `range` in one transaction.
    func insert(_ range: Range<Int>) throws {
        try edit { writer in
            for index in range { try writer.insert(.numbered(index), reason: .new) }
        }
    }

    /// Copies the cache under another name.
    func copy(to name: String) throws -> HistoryCache {
        try QuakeCache(path: path).context().maintenance.compact()
        try FileManager.default.copyItem(atPath: path, toPath: directory.path(name))
        return HistoryCache(directory, name: name)
    }
}

extension Quake {
    static func numbered(_ index: Int) -> Quake {
        let now = Timestamp.now
        return Quake(sample: "us70\(index)", time: now - .seconds(60), updated: now)
    }
}

/// One record of `quakes changes`, with the fields that tests check.
struct Record: Decodable, Sendable {
    var kind: String
    var token: String?
    var changeID: Int64?
    var op: String?
    var reason: String?
    var quake: Int64?
    var head: String?
    var more: Bool?
    var count: Int?
    var resync: Bool?
    var changed: [String]?

    private enum CodingKeys: String, CodingKey {
        case kind, token, op, reason, quake, head, more, count, resync, changed
        case changeID = "change_id"
    }

    init?(_ line: String) {
        guard let record = try? JSONDecoder().decode(Record.self, from: Data(line.utf8)) else { return nil }
        self = record
    }
}
