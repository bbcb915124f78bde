import Foundation
import QuakeDownload
import Testing

/// "Fetching contacts change history events" (TN3149), listing by listing.
@Suite(.timeLimit(.minutes(5)))
struct ContactsChangeHistory {
    /// The note's visitor, with one method for each kind of event.
    protocol ChangeHistoryVisitor {
        mutating func visitDropEverything(_ reason: TokenFault)
        mutating func visitAdd(_ key: QuakeKey, _ quake: Quake)
        mutating func visitUpdate(_ key: QuakeKey, _ quake: Quake, changed: [QuakeProperty])
        mutating func visitDelete(_ key: QuakeKey, _ tombstone: Quake)
    }

    /// A copy of the cache maintained by visiting.
    struct Copy: ChangeHistoryVisitor, Equatable {
        var quakes: [QuakeKey: Quake] = [:]
        var visits: [String] = []

        mutating func visitDropEverything(_ reason: TokenFault) {
            quakes = [:]
            visits.append("drop \(reason.rawValue)")
        }

        mutating func visitAdd(_ key: QuakeKey, _ quake: Quake) {
            quakes[key] = quake
            visits.append("add \(quake.code)")
        }

        mutating func visitUpdate(_ key: QuakeKey, _ quake: Quake, changed: [QuakeProperty]) {
            quakes[key] = quake
            visits.append("update \(quake.code)")
        }

        mutating func visitDelete(_ key: QuakeKey, _ tombstone: Quake) {
            quakes[key] = nil
            visits.append("delete \(tombstone.code)")
        }
    }

    /// The note's loop: fetches, passes each event to the visitor, and returns the current token.
    private func visit(
        _ visitor: inout some ChangeHistoryVisitor, _ request: HistoryDescriptor, in context: QuakeContext
    ) throws -> HistoryToken? {
        var token: HistoryToken?
        try context.history.fetch(request) { event in
            switch event {
            case .dropEverything(let reason): visitor.visitDropEverything(reason)
            case .resync(let resynced): visitor.visitAdd(resynced.stored.key, resynced.stored.quake)
            case .change(let relevant):
                let change = relevant.change
                switch change.effect {
                case .insert(let quake): visitor.visitAdd(change.quakeKey, quake)
                case .update(_, let after, let changed):
                    visitor.visitUpdate(change.quakeKey, after, changed: changed)
                case .delete(let tombstone, _): visitor.visitDelete(change.quakeKey, tombstone)
                }
            case .end(let end): token = end.token
            }
        }
        return token
    }

    private func contents(of context: QuakeContext) throws -> [QuakeKey: Quake] {
        Dictionary(uniqueKeysWithValues: try context.fetch().map { ($0.key, $0.quake) })
    }

    @Test("Without a token: drop everything, then an add for every quake; with one: what changed since")
    func firstAndIncremental() async throws {
        try await withCache { _, context in
            for code in ["a", "b"] { try context.edits.insert(.invented(code)) }
            try context.edits.save()
            var copy = Copy()
            var token = try visit(&copy, HistoryDescriptor(after: nil), in: context)
            #expect(copy.visits == ["drop missing", "add a", "add b"])

            copy.visits = []
            try context.edits.insert(.invented("a", magnitude: 5))
            try context.edits.insert(.invented("c"))
            try context.edits.delete(try #require(try context.quake(forID: "usb")))
            try context.edits.save()
            token = try visit(&copy, HistoryDescriptor(after: token), in: context)
            #expect(copy.visits == ["update a", "add c", "delete b"])
            #expect(try copy.quakes == contents(of: context) && token == context.history.head())
        }
    }

    @Test("The first synchronization and the incremental one are the same code and end alike, over random changes")
    func firstEqualsIncremental() async throws {
        try await withCache { _, context in
            var generator = SystemRandomNumberGenerator()
            var steady = Copy()
            var token: HistoryToken?
            for _ in 0..<60 {
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    let code = "q\(Int.random(in: 0..<12, using: &generator))"
                    if Bool.random(using: &generator) {
                        try context.edits.insert(
                            .invented(code, magnitude: Double(Int.random(in: 1...9, using: &generator))))
                    } else if let stored = try context.quake(forID: "us" + code) {
                        try context.edits.delete(stored)
                    }
                }
                try context.edits.save()
                token = try visit(&steady, HistoryDescriptor(after: token), in: context)
                var fresh = Copy()
                #expect(try visit(&fresh, HistoryDescriptor(after: nil), in: context) == token)
                #expect(steady.quakes == fresh.quakes)
            }
            #expect(steady.visits.count > 60)
        }
    }

    @Test("A token that is expired, foreign or of another course is answered by dropping everything")
    func resetForUnusableTokens() async throws {
        try await withCache { _, context in
            for number in 1...3 {
                try context.edits.insert(.invented("a", magnitude: Double(number)))
                try context.edits.save()
            }
            let (first, head) = (
                try context.history.token(afterTransaction: TransactionNumber(1)), try context.history.head()
            )
            try context.history.delete(before: .transaction(TransactionNumber(3)))
            let bad = [
                (first.description, "drop expired"), ("q1.0000000000000.3.00000001", "drop foreign"),
                ("q1.\(head.storeID).9.00000001", "drop future"), ("q1.\(head.storeID).3.00000001", "drop forked"),
            ]
            for (text, visit) in bad {
                let token = try #require(HistoryToken(text))
                var copy = Copy()
                #expect(try self.visit(&copy, HistoryDescriptor(after: token), in: context) == head)
                #expect(copy.visits == [visit, "add a"])
            }
        }
    }

    @Test("Excluded authors are left out, which is how a client does not hear of itself")
    func excludedTransactionAuthors() async throws {
        try await withCache(author: "org.example.client") { cache, client in
            let token = try client.history.head()
            try client.edits.insert(.invented("mine"))
            try client.edits.save()
            let other = try cache.context(author: "org.example.other")
            try other.edits.insert(.invented("theirs"))
            try other.edits.save()
            var request = HistoryDescriptor(after: token)
            request.excludedAuthors = ["org.example.client"]
            var copy = Copy()
            #expect(try visit(&copy, request, in: client) == client.history.head())
            #expect(copy.visits == ["add theirs"])
        }
    }

    @Test("Options: the wanted fields alone, and one record for the ids that several networks gave a quake")
    func fieldsAndUnifiedResults() async throws {
        try await withCache { cache, context in
            let token = try context.history.head()
            for name in ["all_day-1", "all_day-2"] {
                _ = try await FeedMirror(cache).refresh(.file(Files.feed(name).path))
            }
            var request = HistoryDescriptor(after: token)
            request.fields = [.mag]
            var copy = Copy()
            _ = try visit(&copy, request, in: context)
            #expect(try copy.quakes.count == context.fetchCount())
            #expect(
                copy.quakes.values.allSatisfy { $0.place == nil } && copy.quakes.values.contains { $0.magnitude == 6.2 }
            )
            #expect(try context.quake(forID: "us7000zzc4")?.quake.id == "ci49000125")
        }
    }

    @Test("Events are values: they are encoded, kept, and applied later by the same visitor")
    func eventsAreValues() async throws {
        try await withCache { _, context in
            try context.edits.insert(.invented("a"))
            try context.edits.save()
            var events: [HistoryEvent] = []
            try context.history.fetch(HistoryDescriptor(after: nil)) { events.append($0) }
            let kept = try JSONDecoder().decode([HistoryEvent].self, from: JSONEncoder().encode(events))
            #expect(kept == events && events.count == 3)
        }
    }
}
