import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

/// Compares `quakes diff` with a separately folded history and with the two states.
@Suite(.needsRealData, .scratch) struct DiffTests {
    @Test func randomPairsAgreeWithTheHistoryAndWithTheStates() async throws {
        let directory = try ScratchDirectory.ofTest()
        let path = directory.path("quakes.db")
        let runner = ProcessRunner(environment: ["QUAKES_DB": path])
        let snapshots = try RealData.caribbean
        let refresh = try await runner.run(["refresh", "-q"] + snapshots)
        #expect(refresh.exitStatus == 0)
        _ = try await runner.run("purge", "--max-mag", "3")
        _ = try await runner.run("undo")
        let context = try QuakeCache(path: path).context(access: .reading)
        let head = try context.history.head()
        var random = SplitMix64(state: 50)
        for _ in 0..<Thoroughness.count(4, of: 50) {
            let pair = [random.next(Int(head.number.rawValue) + 1), random.next(Int(head.number.rawValue) + 1)]
                .sorted()
            let (start, end) = (TransactionNumber(Int64(pair[0])), TransactionNumber(Int64(pair[1])))
            let tokens = try (
                context.history.token(afterTransaction: start).description,
                context.history.token(afterTransaction: end).description
            )
            let diff = try await runner.run("diff", tokens.0, tokens.1, "--format", "ndjson")
            let shown = try Effects(records: diff.standardOutput, end: tokens.1)
            #expect(try shown == Effects(states: context, start, end), "\(start)..\(end): the states")
            // A reader of everything never sees an undone purge or its undo, so there is no state between them.
            if end.rawValue == head.number.rawValue - 1 { continue }
            let changes = try await runner.run("changes", "--since-token", tokens.0, "--format", "ndjson")
            let folded = try Effects(folding: changes.standardOutput, through: end)
            #expect(shown == folded, "\(start)..\(end): the history")
        }
        let turned = try await runner.run("diff", head.description, "beginning")
        #expect(turned.exitStatus == 64)
        let expired = try await runner.run("diff", "q1.0000000000000.1.00000000", "now")
        #expect(expired.exitStatus == 3)
        #expect(expired.standardOutput.isEmpty)
    }
}

/// The effect on each quake, by key: the kind of change, and the properties of an update.
private struct Effects: Equatable {
    var kinds: [QuakeKey: String] = [:]

    private struct Record: Decodable {
        var kind: String
        var op: String?
        var quake: QuakeKey?
        var changed: [String]?
        var token: String?
        var transaction: Transaction?
        var before: Values?
        var after: Values?

        struct Transaction: Decodable { var number: TransactionNumber }
    }

    /// Values as text, so that any two can be compared.
    private struct Values: Decodable {
        var texts: [String: String] = [:]

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Name.self)
            for key in container.allKeys {
                if let number = try? container.decode(Double.self, forKey: key) {
                    texts[key.stringValue] = "\(number)"
                } else if let text = try? container.decode(String.self, forKey: key) {
                    texts[key.stringValue] = text
                } else if let words = try? container.decode([String].self, forKey: key) {
                    texts[key.stringValue] = words.joined(separator: " ")
                } else {
                    texts[key.stringValue] = "null"
                }
            }
        }

        struct Name: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init?(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
    }

    private static func records(_ output: Data) throws -> [Record] {
        try output.split(separator: UInt8(ascii: "\n")).map { try JSONDecoder().decode(Record.self, from: $0) }
    }

    /// Reads the effects shown by `diff`.
    init(records output: Data, end: String) throws {
        for record in try Effects.records(output) {
            guard record.kind == "change", let key = record.quake, let op = record.op else {
                #expect(record.token == end)
                continue
            }
            kinds[key] = op == "update" ? "update " + (record.changed ?? []).sorted().joined(separator: " ") : op
        }
    }

    /// Compares the two states.
    init(states context: QuakeContext, _ start: TransactionNumber, _ end: TransactionNumber) throws {
        try context.pin(to: .token(context.history.token(afterTransaction: start)))
        let before = try context.contents()
        try context.unpin()
        try context.pin(to: .token(context.history.token(afterTransaction: end)))
        let after = try context.contents()
        try context.unpin()
        for key in Set(before.keys).union(after.keys) {
            switch (before[key], after[key]) {
            case (nil, _?): kinds[key] = "insert"
            case (_?, nil): kinds[key] = "delete"
            case (let old?, let new?):
                let changed = new.differences(from: old).map(\.rawValue).sorted()
                if !changed.isEmpty { kinds[key] = "update " + changed.joined(separator: " ") }
            case (nil, nil): break
            }
        }
    }

    /// Folds every change up to a transaction.
    init(folding output: Data, through end: TransactionNumber) throws {
        var first: [QuakeKey: [String: String]] = [:]
        var last: [QuakeKey: [String: String]] = [:]
        var existedBefore: Set<QuakeKey> = []
        var exists: [QuakeKey: Bool] = [:]
        for record in try Effects.records(output) {
            guard let key = record.quake, let number = record.transaction?.number, number <= end else { continue }
            if exists[key] == nil, record.op != "insert" { existedBefore.insert(key) }
            exists[key] = record.op != "delete"
            if existedBefore.contains(key) {
                first[key, default: [:]].merge(record.before?.texts ?? [:]) { known, _ in known }
            }
            last[key, default: [:]].merge(record.after?.texts ?? [:]) { $1 }
        }
        let derived: Set = ["id", "title", "url", "detail"]
        for (key, isThere) in exists {
            switch (existedBefore.contains(key), isThere) {
            case (false, true): kinds[key] = "insert"
            case (true, false): kinds[key] = "delete"
            case (true, true):
                let changed = (last[key] ?? [:]).filter { name, value in
                    !derived.contains(name) && first[key]?[name].map { $0 != value } ?? false
                }.keys.sorted()
                if !changed.isEmpty { kinds[key] = "update " + changed.joined(separator: " ") }
            case (false, false): break
            }
        }
    }
}

extension QuakeContext {
    /// Returns every quake by its key.
    fileprivate func contents() throws -> [QuakeKey: Quake] {
        Dictionary(uniqueKeysWithValues: try fetch().map { ($0.key, $0.quake) })
    }
}
