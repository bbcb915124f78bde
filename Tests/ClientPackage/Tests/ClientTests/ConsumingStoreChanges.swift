import Foundation
import QuakeMirror
import Testing

/// "Consuming relevant store changes" (Core Data, persistent history), listing by listing.
@Suite(.timeLimit(.minutes(5)))
struct ConsumingStoreChanges {
    /// The article's `fetchPersistentHistoryTransactionsAndChanges()`: the transactions after a token.
    private func changes(in context: QuakeContext, _ descriptor: HistoryDescriptor) throws -> (
        changes: [RelevantChange], token: HistoryToken
    ) {
        var changes: [RelevantChange] = []
        var token = try context.history.head()
        try context.history.fetch(descriptor, resyncs: false) { event in
            switch event {
            case .change(let change): changes.append(change)
            case .end(let end): token = end.token
            case .dropEverything, .resync: Issue.record("the token was good")
            }
        }
        return (changes, token)
    }

    @Test("History after a token names every transaction with its source, and each change with both sides")
    func historyAfterAToken() async throws {
        try await withCache { cache, context in
            try context.edits.insert(.invented("a"))
            try context.edits.save()
            let lastToken = try context.history.head()

            let background = try cache.context(author: "org.example.background")
            let stored = try #require(try background.quake(forID: "usa"))
            try background.edits.update(stored, to: stored.quake.with(magnitude: 4.5))
            try background.edits.insert(.invented("b", magnitude: 3))
            try background.edits.save(TransactionOrigin(purpose: "evening import"))

            let (changes, token) = try changes(in: context, HistoryDescriptor(after: lastToken))
            let transaction = try #require(changes.first).transaction
            #expect(transaction.author == "org.example.background" && transaction.purpose == "evening import")
            #expect(transaction.processID == Int64(ProcessInfo.processInfo.processIdentifier))
            #expect(try transaction.storeID == context.history.storeID() && transaction.token == token)
            #expect(changes.map(\.change.kind) == [.update, .insert])
            #expect(changes.first?.change.changed == [.mag])
            #expect(changes.first?.change.before?.magnitude == 4 && changes.first?.change.after?.magnitude == 4.5)
            // Without new changes, the token stays the same.
            #expect(try self.changes(in: context, HistoryDescriptor(after: token)).changes.isEmpty)
        }
    }

    @Test("A batch deletion leaves a tombstone for each quake, with all its values")
    func tombstones() async throws {
        try await withCache { _, context in
            for number in 1...5 { try context.edits.insert(.invented("q\(number)", magnitude: Double(number))) }
            try context.edits.save()
            let token = try context.history.head()
            try context.edits.delete(where: QuakeFilter(maximumMagnitude: 3))
            try context.edits.save()
            let tombstones = try changes(in: context, HistoryDescriptor(after: token)).changes.map(\.change.effect)
            let expected = (1...3).map { Quake.invented("q\($0)", magnitude: Double($0)) }
            #expect(
                tombstones.compactMap { effect -> Quake? in
                    if case .delete(let tombstone, mergedInto: nil) = effect { tombstone } else { nil }
                } == expected)
        }
    }

    @Test("A filter leaves out irrelevant changes by entity values, properties and author; the token moves past them")
    func relevantChangesOnly() async throws {
        try await withCache { cache, context in
            for (code, magnitude) in [("strong", 5.0), ("weak", 2), ("rising", 4.4)] {
                try context.edits.insert(.invented(code, magnitude: magnitude))
            }
            try context.edits.save()
            let token = try context.history.head()
            let importer = try cache.context(author: "org.example.importer")
            for (code, magnitude) in [("strong", 5.1), ("weak", 2.1), ("rising", 4.6)] {
                try importer.edits.insert(.invented(code, magnitude: magnitude))
            }
            try importer.edits.save()
            // The felt reports are not on screen, and this author's changes are excluded.
            var felt = Quake.invented("strong", magnitude: 5.1)
            felt.feltReports = 12
            try importer.edits.insert(felt)
            try importer.edits.save()
            let noisy = try cache.context(author: "org.example.noise")
            try noisy.edits.insert(.invented("strong", magnitude: 5.3))
            try noisy.edits.save()

            var relevant = HistoryDescriptor(after: token)
            relevant.filter.minimumMagnitude = 4.5
            relevant.properties = [.mag, .place]
            relevant.excludedAuthors = ["org.example.noise"]
            let (changes, next) = try changes(in: context, relevant)
            #expect(changes.map(\.crossing) == [.update, .enter])
            #expect(try next == context.history.head())
            relevant.excludedAuthors = []
            relevant.authors = ["org.example.noise"]
            #expect(try self.changes(in: context, relevant).changes.map(\.change.after?.magnitude) == [5.3])
        }
    }

    @Test("Relevant changes are merged into the list on screen, which is then what fetching anew returns")
    func mergingIntoAList() async throws {
        try await withCache { cache, view in
            for number in 1...50 { try view.edits.insert(.invented("q\(number)", magnitude: Double(number) / 10)) }
            try view.edits.save()
            let descriptor = QuakeDescriptor(filter: QuakeFilter(minimumMagnitude: 3), sort: .magnitude)
            var (list, token) = try view.snapshot { (try view.fetch(descriptor), try view.history.head()) }

            let other = try cache.context(author: "org.example.other")
            try other.edits.insert(.invented("new", magnitude: 3.3))
            try other.edits.insert(.invented("q1", magnitude: 6))
            for (name, magnitude) in [("q40", 1.0), ("q45", 5.1)] {
                try other.edits.insert(.invented(name, magnitude: magnitude))
            }
            try other.edits.delete(try #require(try other.quake(forID: "usq50")))
            try other.edits.save()

            let before = list
            token = try view.history.merge(after: token, into: &list, fetchedBy: descriptor)
            let changes = ListChanges(from: before, to: list)
            let keys = [changes.inserted, changes.updated, changes.removed].map { $0.map(\.rawValue) }
            #expect(keys == [[1, 51], [45], [50, 40]])
            #expect(try list == view.fetch(descriptor) && token == view.history.head())
            #expect(list.first?.quake.id == "usq1" && list.contains { $0.quake.id == "usnew" })
            #expect(!list.contains { ["usq40", "usq50"].contains($0.quake.id) })
        }
    }

    @Test("The token is kept across launches as text or JSON, and history goes on where it ended")
    func tokenOnDisk() async throws {
        try await withCache { cache, context in
            try context.edits.insert(.invented("a"))
            try context.edits.save()
            let data = try JSONEncoder().encode(context.history.head())
            let text = try context.history.head().description
            let next = try cache.context(author: "org.example.next")
            try next.edits.insert(.invented("b"))
            try next.edits.save()
            let token = try JSONDecoder().decode(HistoryToken.self, from: data)
            #expect(token == HistoryToken(text))
            #expect(try changes(in: next, HistoryDescriptor(after: token)).changes.map(\.change.after?.id) == ["usb"])
            // Alternatively, the cache keeps the token under the reader's name.
            try context.history.acknowledge(token, for: "org.example.widget")
            #expect(try next.history.consumer(named: "org.example.widget")?.token == token)
        }
    }

    @Test("History also starts after a transaction and after a date, and ends where the reader says")
    func otherStarts() async throws {
        try await withCache { _, context in
            for code in ["a", "b", "c"] {
                try context.edits.insert(.invented(code))
                try context.edits.save()
            }
            func ids(_ descriptor: HistoryDescriptor) throws -> [String?] {
                try changes(in: context, descriptor).changes.map(\.change.after?.id)
            }
            #expect(try ids(HistoryDescriptor(start: .transaction(TransactionNumber(1)))) == ["usb", "usc"])
            #expect(try ids(HistoryDescriptor(start: .beginning)) == ["usa", "usb", "usc"])
            let second = try #require(try context.history.transaction(TransactionNumber(2)))
            #expect(try ids(HistoryDescriptor(start: .moment(second.time - .seconds(60)))) == ["usa", "usb", "usc"])
            #expect(try ids(HistoryDescriptor(start: .moment(Timestamp.now + .seconds(60)))).isEmpty)
            var upTo = HistoryDescriptor(start: .transaction(TransactionNumber(1)))
            upTo.end = second.token
            #expect(try ids(upTo) == ["usb"])
        }
    }

    @Test("History is purged before a token, not before its readers read it; a token from before is expired")
    func purgeAndExpiredToken() async throws {
        try await withCache { _, context in
            for number in 1...4 {
                try context.edits.insert(.invented("a", magnitude: Double(number)))
                try context.edits.save()
            }
            let (first, third) = (
                try context.history.token(afterTransaction: TransactionNumber(1)),
                try context.history.token(afterTransaction: TransactionNumber(3))
            )
            try context.history.acknowledge(first, for: "org.example.widget")
            #expect(throws: StoreError.unreadConsumer(name: "org.example.widget", number: TransactionNumber(1))) {
                try context.history.delete(before: .token(third))
            }
            try context.history.acknowledge(third, for: "org.example.widget")
            let purge = try context.history.delete(readByAll: .live)
            #expect(purge.transactions == 3 && purge.floor == TransactionNumber(3))

            #expect(throws: StoreError.token(.expired)) {
                try context.history.fetch(HistoryDescriptor(after: first), resyncs: false) { _ in }
            }
            // A token at the end of the purge is still valid, and the quakes are unchanged.
            #expect(try changes(in: context, HistoryDescriptor(after: third)).changes.count == 1)
            #expect(try context.fetch().map(\.quake.magnitude) == [4])
        }
    }

    @Test("Remote changes arrive as history while they are committed, own ones do not")
    func remoteChanges() async throws {
        try await withCache { cache, context in
            let remote = context.history.remoteChanges(after: try context.history.head(), every: .milliseconds(20))
            try context.edits.insert(.invented("mine"))
            try context.edits.save()
            let path = cache.path
            let writer = Task.detached {
                let other = try QuakeCache(path: path).context(author: "org.example.app")
                for number in 1...20 {
                    try other.edits.insert(.invented("theirs\(number)"))
                    try other.edits.save()
                }
            }
            var seen: Set<String> = []
            var last: HistoryToken?
            for try await batch in remote {
                for case .change(let relevant) in batch.events { seen.insert(relevant.change.after?.id ?? "") }
                last = batch.token
                if seen.count == 20 { break }
            }
            try await writer.value
            #expect(seen == Set((1...20).map { "ustheirs\($0)" }))
            #expect(try last == context.history.head())
        }
    }
}
