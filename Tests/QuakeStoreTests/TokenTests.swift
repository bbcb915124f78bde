import QuakeTestSupport
import Foundation
import QuakeStore
import Testing

/// An invalid token is recognized, whatever happened to the cache, and a valid one is never refused.
@Suite("Tokens", .scratch) final class TokenTests: SuiteWithCache {
    private func fill(_ context: QuakeContext, _ count: Int, from first: Int = 0) throws -> [HistoryToken] {
        try (first..<first + count).map { index in
            try context.record(.sample("us70\(index)"))
            return try context.history.currentToken()
        }
    }

    // Proves feature B9 of seeds.md.
    @Test("Purging history through a transaction expires earlier tokens but not that transaction's") func floor() throws
    {
        let tokens = try fill(context, 5)
        _ = try context.history.trim(through: 3)
        #expect(try context.history.fault(of: tokens[1]) == .expired)
        #expect(try context.history.fault(of: tokens[2]) == nil)
        #expect(try context.history.fault(of: tokens[3]) == nil)
        #expect(try context.relevantChanges(HistoryDescriptor(start: .token(tokens[2]))).count == 2)
        let events = try context.events(HistoryDescriptor(start: .token(tokens[1])))
        #expect(events.first == .dropEverything(.expired))
        #expect(events.count == 1 + 5 + 1)
        #expect(throws: StoreError.token(.expired)) {
            try context.events(HistoryDescriptor(start: .token(tokens[1])), resyncs: false)
        }
    }

    @Test("After all history is purged, the current token is still valid") func allHistoryPurged() throws {
        let tokens = try fill(context, 3)
        let purge = try context.history.trim(through: 3)
        #expect(purge.transactions == 3 && purge.changes == 3 && purge.trimmedThrough == 3)
        let end = try context.end(HistoryDescriptor(start: .oldest))
        #expect(end?.token == tokens[2] && end?.count == 0 && end?.trimmedThrough == 3)
        #expect(try context.history.fault(of: tokens[2]) == nil)
        #expect(try fill(context, 1, from: 3)[0].number == 4)
        #expect(try context.relevantChanges(HistoryDescriptor(start: .token(tokens[2]))).map(\.change.id) == [4])
    }

    @Test("A token taken during an open transaction leads to all changes of that transaction")
    func tokenDuringTransaction() throws {
        let before = try fill(context, 1)[0]
        let token = try context.write { writer in
            _ = try writer.insert(.sample("us1"), reason: .new)
            let token = try context.history.currentToken()
            #expect(try context.events(HistoryDescriptor(after: before)).count == 1)
            #expect(try context.history.newestTransactions(2).map(\.number) == [before.number])
            _ = try writer.insert(.sample("us2"), reason: .new)
            return token
        }.result
        #expect(token == before)
        #expect(try context.relevantChanges(HistoryDescriptor(after: token)).map(\.change.id) == [2, 3])
        #expect(throws: CancellationError.self) {
            try context.write { writer in
                _ = try writer.insert(.sample("us3"), reason: .new)
                throw CancellationError()
            }
        }
        #expect(try context.history.currentToken().number == 2)
    }

    // Proves feature D2 of seeds.md.
    @Test("A token from another copy or cache is refused as future, forked or foreign") func copiesAndOtherCaches()
        throws
    {
        _ = try fill(context, 2)
        let copyPath = scratch.path + ".copy"
        try context.maintenance.compact()
        try FileManager.default.copyItem(atPath: scratch.path, toPath: copyPath)
        let early = try context.history.currentToken()
        let late = try fill(context, 2, from: 2)[1]
        let copy = try QuakeContext(QuakeCache(path: copyPath))
        #expect(try copy.history.fault(of: early) == nil)
        #expect(try copy.history.fault(of: late) == .future)
        #expect(throws: StoreError.token(.future)) { try copy.pin(to: .token(late)) }
        #expect(try copy.events(HistoryDescriptor(after: late)).first == .dropEverything(.future))
        _ = try fill(copy, 2, from: 2)
        #expect(try copy.history.fault(of: late) == .forked)
        #expect(throws: StoreError.token(.forked)) { try copy.pin(to: .token(late)) }
        #expect(try copy.events(HistoryDescriptor(after: late)).first == .dropEverything(.forked))
        #expect(try context.history.fault(of: copy.history.currentToken()) == .forked)
        let other = try QuakeContext(QuakeCache(path: scratch.path + ".other"), access: .creating)
        #expect(try other.events(HistoryDescriptor(start: .token(early))).first == .dropEverything(.foreign))
        #expect(throws: StoreError.token(.foreign)) { try other.pin(to: .token(early)) }
    }

    @Test(
        "Malformed text is not accepted as a token",
        arguments: [
            "", "q1", "q1...", "q2.abc.1.00000000", "q1.abc.-1.00000000", "q1.abc.1.0000000", "q1.abc.1.+0000000",
            "q1.abc.99999999999999999999.00000000", "q1.ABC.1.00000000", "q1.abc.1.00000000.", " q1.abc.1.00000000",
        ])
    func invalidText(text: String) {
        #expect(HistoryToken(text) == nil)
    }

    // Proves feature B4 of seeds.md.
    @Test("A token's text contains only shell-safe characters and parses back to the same token") func safeInShell()
        throws
    {
        let token = try context.history.currentToken()
        #expect(HistoryToken(token.description) == token)
        let allowed = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")
        #expect(token.description.allSatisfy(allowed.contains))
        let longest = HistoryToken(storeID: token.storeID, number: TransactionNumber(.max), fingerprint: .max)
        #expect(longest.description.count <= 64 && HistoryToken(longest.description) == longest)
    }
}
