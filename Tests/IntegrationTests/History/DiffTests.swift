import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

/// Compares `quakes diff` with the two states.
@Suite("Differences between states", .needsRealData, .scratch) struct DiffTests {
    @Test("quakes diff of two random states lists exactly the differences between their quakes") func randomStates()
        async throws
    {
        let cache = try Cache.ofTest()
        #expect(try await cache.quakes.run(["refresh", "-q"] + RealData.caribbean).exitStatus == 0)
        try await cache.run("purge", "--max-mag", "3", "--yes")
        try await cache.run("undo")
        let context = try QuakeContext(QuakeCache(path: cache.path), access: .reading)
        let count = Int(try context.history.currentToken().number.rawValue) + 1
        var random = SplitMix64(state: 50)
        for _ in 0..<Thoroughness.count(4, of: 50) {
            let pair = [random.next(count), random.next(count)].sorted()
            let tokens = try pair.map { number in
                try context.history.token(afterTransaction: TransactionNumber(Int64(number)))
            }
            let diff = try await cache.run("diff", "\(tokens[0])", "\(tokens[1])", "--format", "ndjson").output
            let records = diff.split(separator: "\n").compactMap { Record(String($0)) }
            #expect(records.last?.token == tokens[1].description)
            var shown: [QuakeKey: String] = [:]
            for record in records {
                guard let key = record.quake, let op = record.op else { continue }
                shown[QuakeKey(key)] = op + (op == "update" ? " \((record.changed ?? []).sorted())" : "")
            }
            #expect(try shown == effects(in: context, from: tokens[0], to: tokens[1]), "\(pair)")
        }
    }

    /// The kind of change of each quake that differs between two states, and the properties of an update.
    private func effects(
        in context: QuakeContext, from start: HistoryToken, to end: HistoryToken
    ) throws -> [QuakeKey: String] {
        let (before, after) = (try contents(of: context, at: start), try contents(of: context, at: end))
        var effects: [QuakeKey: String] = [:]
        for key in Set(before.keys).union(after.keys) {
            switch (before[key], after[key]) {
            case (let old?, let new?):
                let changed = new.differences(from: old).map(\.rawValue).sorted()
                if !changed.isEmpty { effects[key] = "update \(changed)" }
            case (let old, _): effects[key] = old == nil ? "insert" : "delete"
            }
        }
        return effects
    }

    private func contents(of context: QuakeContext, at token: HistoryToken) throws -> [QuakeKey: Quake] {
        try context.pin(to: .token(token))
        defer { try? context.unpin() }
        return Dictionary(uniqueKeysWithValues: try context.fetch().map { ($0.key, $0.quake) })
    }
}
