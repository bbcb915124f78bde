import Foundation
import QuakeStore
import QuakeTestSupport

extension Cache {
    /// Returns the lines that `quakes` writes.
    func lines(_ arguments: String...) async throws -> [String] {
        try await quakes.run(arguments).output.split(separator: "\n").map(String.init)
    }

    /// Returns the records that `quakes changes` writes with `arguments`.
    func changes(_ arguments: String...) async throws -> [Record] {
        let result = try await quakes.run(["changes", "--format", "ndjson"] + arguments)
        return result.output.split(separator: "\n").compactMap { Record(String($0)) }
    }

    /// Returns the number of transactions that `quakes history` lists.
    func transactionCount() async throws -> Int {
        try await lines("history").count { $0.contains(#/^\d\d:\d\d /#) }
    }

    /// Changes the cache through the library, as another process would.
    func edit(_ body: @escaping @Sendable (QuakeWriter) throws -> Void) throws {
        try QuakeContext(QuakeCache(path: path), author: "test", access: .creating).write { try body($0) }
    }

    /// Inserts quakes with the serial numbers in `range` in one transaction.
    func insert(_ range: Range<Int>) throws {
        try edit { writer in
            for index in range { try writer.insert(.numbered(index), reason: .new) }
        }
    }

    /// Copies the cache under another name.
    func copy(to name: String) throws -> Cache {
        try QuakeContext(QuakeCache(path: path)).maintenance.compact()
        try FileManager.default.copyItem(atPath: path, toPath: directory.path(name))
        return Cache(in: directory, name: name)
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
