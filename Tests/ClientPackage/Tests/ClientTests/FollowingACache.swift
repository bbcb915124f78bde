import Foundation
import QuakeDownload
import QuakeEditing
import Synchronization
import Testing

/// Reading and writing from any task, and following others' commits. One import is enough.
@Suite("Programs that follow a cache", .timeLimit(.minutes(5))) struct FollowingACache {
    // MARK: Tasks

    @Test("Each QuakeCache.read sees one consistent state while another task commits edits")
    func tasksReadAndWrite() async throws {
        try await withFolder { folder in
            let cache = QuakeCache(path: folder.appending(path: "quakes.db").path)
            try await cache.edit(author: "org.example.import") { editor in
                try editor.insert(contentsOf: (1...20).map { .invented("q\($0)", magnitude: 0) })
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for round in 1...30 {
                        try await cache.edit { editor in
                            for stored in try editor.context.fetch() {
                                try editor.update(stored, to: stored.quake.with(magnitude: Double(round)))
                            }
                        }
                    }
                }
                for _ in 0..<4 {
                    group.addTask {
                        for _ in 0..<60 {
                            let seen = try await cache.read { context in
                                (try context.fetch().map(\.quake.magnitude), try context.fetch().map(\.quake.magnitude))
                            }
                            #expect(Set(seen.0).count == 1 && seen.0.count == 20 && seen.0 == seen.1)
                        }
                    }
                }
                try await group.waitForAll()
            }
            let head = try await cache.read { try $0.history.transaction($0.history.currentToken().number) }
            #expect(head?.number == TransactionNumber(31) && head?.counts.updated == 20)
        }
    }

    @Test("If a QuakeCache.edit closure calls save() and then throws, nothing is saved")
    func failedWriteSavesNothing() async throws {
        struct Refusal: Error {}
        let cache = try QuakeCache.inMemory()
        await #expect(throws: Refusal.self) {
            try await cache.edit { editor in
                try editor.insert(.invented("a"))
                try editor.save()
                try editor.insert(.invented("b"))
                throw Refusal()
            }
        }
        try await cache.edit { try $0.insert(.invented("c")) }
        #expect(try await cache.read { try $0.fetch().map(\.quake.id) } == ["usc"])
        await #expect(throws: StoreError.self) { try await cache.read { try $0.maintenance.purge(QuakeFilter()) } }
        #expect(try await cache.read { try $0.maintenance.verify().isSound })
    }

    /// The sample of the documentation.
    actor Catalog {
        private let cache: QuakeCache
        private(set) var titles: [String] = []

        init(_ cache: QuakeCache) { self.cache = cache }

        func showLargest(_ count: Int) async throws {
            titles = try await cache.read { context in
                try context.fetch(QuakeDescriptor(sortBy: .magnitude, limit: count)).map(\.quake.title)
            }
        }
    }

    @Test("An actor can store a QuakeCache and read from it asynchronously") func actorReadsCache() async throws {
        let cache = try QuakeCache.inMemory()
        try await cache.edit { try $0.insert(contentsOf: [.invented("a"), .invented("b", magnitude: 6)]) }
        let catalog = Catalog(cache)
        try await catalog.showLargest(1)
        #expect(await catalog.titles == ["M 6.0 - 8 km E of Fox"])
    }

    // MARK: Lists

    /// A list on screen that is kept in sync with the cache.
    @MainActor final class QuakeListModel {
        private(set) var quakes: [StoredQuake] = []

        func follow(_ cache: QuakeCache, until isDone: ([StoredQuake]) -> Bool) async throws {
            let largest = QuakeDescriptor(filter: QuakeFilter(minimumMagnitude: 4.5), sortBy: .magnitude, limit: 10)
            for try await quakes in cache.quakes(matching: largest, every: .milliseconds(50)) {
                self.quakes = quakes
                if isDone(quakes) { break }
            }
        }
    }

    @Test("A @MainActor view model receives the quakes that other tasks insert into the cache")
    func viewModelFollowsCache() async throws {
        let cache = try QuakeCache.inMemory()
        let model = QuakeListModel()
        async let following: Void = model.follow(cache) { $0.first?.quake.magnitude == 9 }
        for number in 1...30 {
            try await cache.edit { try $0.insert(.invented("q\(number)", magnitude: 4 + Double(number) / 10)) }
        }
        try await cache.edit { try $0.insert(.invented("last", magnitude: 9)) }
        try await following
        #expect(await model.quakes.map(\.quake.magnitude) == [9, 7, 6.9, 6.8, 6.7, 6.6, 6.5, 6.4, 6.3, 6.2])
    }

    // Proves feature B8 of seeds.md.
    @Test("After random edits, QuakeCache.quakes(matching:) yields the same list as a new fetch")
    func followedListEqualsFetch() async throws {
        let descriptors = [
            QuakeDescriptor(), QuakeDescriptor(sortBy: .magnitude, limit: 5),
            QuakeDescriptor(filter: QuakeFilter(minimumMagnitude: 4), sortBy: .magnitude, limit: 3, offset: 2),
            QuakeDescriptor(filter: QuakeFilter(maximumMagnitude: 5), sortBy: .magnitude, order: .forward),
            QuakeDescriptor(limit: 0), QuakeDescriptor(sortBy: .magnitude, limit: 4, offset: 50),
        ]
        try await withCache { cache, context in
            let editor = QuakeEditor(context)
            var lists = descriptors.map { cache.quakes(matching: $0, every: .milliseconds(50)).makeAsyncIterator() }
            var shown: [[StoredQuake]?] = descriptors.map { _ in nil }
            var generator = SystemRandomNumberGenerator()
            for round in 0..<60 {
                for _ in 0..<Int.random(in: 1...3, using: &generator) {
                    let code = "q\(Int.random(in: 0..<15, using: &generator))"
                    if Int.random(in: 0..<4, using: &generator) > 0 {
                        try editor.insert(
                            .invented(code, magnitude: Double(Int.random(in: 1...9, using: &generator))))
                    } else if let stored = try context.quake(id: "us" + code) {
                        try editor.delete(stored)
                    }
                }
                try editor.save()
                if round.isMultiple(of: 20) {
                    try context.history.trim(before: .token(try context.history.currentToken()))
                }
                for (index, descriptor) in descriptors.enumerated() {
                    let expected = try context.fetch(descriptor)
                    // An unchanged list is not delivered again.
                    if shown[index] != expected { shown[index] = try await lists[index].next() }
                    #expect(shown[index] == expected, "round \(round), descriptor \(index)")
                }
            }
        }
    }

    @Test("After the cache is restored, the sequence QuakeCache.quakes() yields the restored quakes")
    func followedListAfterRestoreOrCancel() async throws {
        try await withCache { cache, context in
            let editor = QuakeEditor(context)
            var list = cache.quakes(every: .milliseconds(50)).makeAsyncIterator()
            #expect(try await list.next() == [])
            try editor.insert(.invented("a"))
            try editor.save()
            #expect(try await list.next()?.map(\.quake.id) == ["usa"])
            let backup = cache.path + ".backup"
            try context.maintenance.backup(to: backup)
            try editor.delete(where: QuakeFilter())
            try editor.save()
            #expect(try await list.next() == [])
            try cache.restore(from: backup)
            #expect(try await list.next()?.map(\.quake.id) == ["usa"])

            let endless = cache.quakes()
            let task = Task {
                var lists = 0
                for try await _ in endless { lists += 1 }
                return lists
            }
            task.cancel()
            #expect(try await task.value <= 1)
        }
    }

    @Test("remoteChanges(after: nil) sends all quakes in pages, without those inserted meanwhile")
    func resyncInPages() async throws {
        try await withCache { cache, context in
            let editor = QuakeEditor(context)
            try editor.insert(contentsOf: (0..<2_500).map { .invented("q\($0)") })
            try editor.save()
            var changes = cache.changes(after: nil, every: .milliseconds(50)).makeAsyncIterator()
            var keys: Set<QuakeKey> = []
            var token: HistoryToken?
            var sizes: [Int] = []
            repeat {
                let batch = try #require(try await changes.next())
                // These pages do not include changes that others commit meanwhile.
                try editor.insert(.invented("late\(sizes.count)"))
                try editor.save()
                for case .resync(let resynced) in batch.events { keys.insert(resynced.stored.key) }
                sizes.append(batch.events.count)
                token = batch.token
            } while token == nil
            #expect(sizes == [1000, 1000, 502] && keys.count == 2_500 && token?.number == TransactionNumber(1))
            let next = try #require(try await changes.next())
            #expect(next.events.count == 4 && next.token?.number == TransactionNumber(4))

            // Many changes also arrive in several batches, each with its token.
            for round in 0..<3 {
                for stored in try context.fetch() {
                    try editor.update(stored, to: stored.quake.with(magnitude: 5 + Double(round)))
                }
                try editor.save()
            }
            let (first, second) = (try await changes.next(), try await changes.next())
            #expect(first?.token?.number == TransactionNumber(5) && second?.token?.number == TransactionNumber(6))
        }
    }

    @Test("When remoteChanges sends the whole cache, HistoryDescriptor.limit caps each page's size")
    func resyncPageSize() async throws {
        try await withCache { cache, context in
            let editor = QuakeEditor(context)
            try editor.insert(contentsOf: (0..<10).map { .invented("q\($0)") })
            try editor.save()
            var descriptor = HistoryDescriptor(after: nil)
            descriptor.limit = 4
            var changes = cache.changes(descriptor).makeAsyncIterator()
            var sizes: [Int] = []
            while let batch = try await changes.next() {
                sizes.append(batch.events.count)
                if batch.token != nil { break }
            }
            #expect(sizes == [4, 4, 4])
        }
    }

    // Proves feature B2 of seeds.md.
    @Test("context.remoteChanges omits the context's own commits even after history is deleted")
    func ownCommitsSkippedAfterPurge() async throws {
        try await withCache { cache, context in
            let editor = QuakeEditor(context)
            let start = try context.history.currentToken()
            for number in 1...5 {
                try editor.insert(.invented("mine\(number)"))
                try editor.save()
            }
            try context.history.trim(before: .transaction(TransactionNumber(4)))
            var changes = context.remoteChanges(
                after: try context.history.token(afterTransaction: TransactionNumber(3)), every: .milliseconds(50)
            )
            .makeAsyncIterator()
            try editor.insert(.invented("mine6"))
            try editor.save()
            let other = try QuakeContext(cache, author: "org.example.other")
            let otherEditor = QuakeEditor(other)
            try otherEditor.insert(.invented("theirs"))
            try otherEditor.save()
            let batch = try #require(try await changes.next())
            #expect(batch.events.count == 2 && batch.token?.number == TransactionNumber(7) && start.number == .zero)
        }
    }

    // MARK: Caches

    @Test("A reading context sees quakes that another context saves to the same in-memory cache")
    func inMemoryCache() async throws {
        var cache: QuakeCache? = try QuakeCache.inMemory()
        let path = try #require(cache).path
        do {
            let opened = try #require(cache)
            let (writer, reader) = (try QuakeContext(opened), try QuakeContext(opened, access: .reading))
            let writerEditor = QuakeEditor(writer)
            try writerEditor.insert(.invented("a"))
            try writerEditor.save()
            try reader.pin(to: .current)
            #expect(try reader.fetchCount() == 1)
            try writerEditor.insert(.invented("b"))
            try writerEditor.save()
            #expect(try reader.fetchCount() == 1 && writer.fetchCount() == 2)
            try reader.advance()
            #expect(try reader.fetchCount() == 2)
            try writer.maintenance.backup(to: path + ".backup")
            let other = try QuakeCache.inMemory()
            #expect(try QuakeContext(other).fetchCount() == 0 && other.path != path)
        }
        #expect(FileManager.default.fileExists(atPath: path))
        cache = nil
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test(
        "Opening a cache at a path that names no file throws an error that says what to use instead",
        arguments: [
            ("", ""), ("a\u{0}b.db", ""), (":memory:", "; for a cache in memory, use QuakeCache.inMemory()"),
            ("file:q.db", "; pass the path instead of a URI"),
            ("~/q.db", "; replace ~ by the path of the home folder"),
            ("https://example.org/q.db", "; only file URLs can be opened"),
        ])
    func pathsThatNameNoFile(path: String, remedy: String) {
        for access in [StoreConfiguration.Access.reading, .writing, .creating] {
            let error = #expect(throws: StoreError.self) { try QuakeContext(QuakeCache(path: path), access: access) }
            #expect(error == .cannotOpen(path: path, reason: "it is not the path of a file\(remedy)"))
        }
    }

    // Proves feature A5 of seeds.md.
    @Test("RefreshReport.countsAbsences is true for the all_day feed and false for 4.5_day")
    func reportSaysWhetherAbsencesCount() async throws {
        let file = Files.feed("all_day-1")
        let transport = AsyncTransport { request in
            TransportResponse(status: 200, url: request.url, body: try Data(contentsOf: file))
        }
        let cache = try QuakeCache.inMemory()
        var mirror = FeedMirror(cache, transport: transport)
        mirror.service = nil
        #expect(try await mirror.refresh(.allDay).countsAbsences)
        let text = try String(contentsOf: Files.feed("all_day-1"), encoding: .utf8)
        let filtered = text.replacing("all_day", with: "4.5_day").replacing(
            "All Earthquakes", with: "M4.5+ Earthquakes")
        let bounded = FeedMirror(
            try QuakeCache.inMemory(),
            transport: AsyncTransport { request in
                TransportResponse(status: 200, url: request.url, body: Data(filtered.utf8))
            })
        let report = try await bounded.refresh(.summary(FeedName(.magnitude45, .day)))
        #expect(report.outcome == .applied && !report.countsAbsences)
        let logged = try JSONSerialization.jsonObject(with: JSONEncoder().encode(report)) as? [String: Any]
        #expect(logged?["feed"] as? String == "4.5_day")
    }

    @Test("Filters, sort keys, history descriptors and sources survive encoding to JSON and decoding")
    func codedValues() throws {
        func isKept<Value: Codable & Equatable>(_ value: Value) throws -> Bool {
            try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value)) == value
        }
        var filter = QuakeFilter(minimumMagnitude: 4.5, placesContain: ["chile"])
        filter.boundingBoxes = [try BoundingBox(west: 170, south: -20, east: -170, north: 10)]
        filter.circles = [.init(center: GeographicPoint(latitude: 1, longitude: 2), radiusKilometers: 50)]
        #expect(try isKept(filter))
        #expect(try isKept(QuakeSortKey(.distance(from: filter.circles.map(\.center)))))
        var history = HistoryDescriptor(start: .published(Timestamp(milliseconds: 5)))
        history.changedProperties = [.mag]
        #expect(try isKept(history))
        #expect(try isKept(FeedSource.allWeek))
        #expect(try isKept(StoredQuake(key: QuakeKey(1), quake: .invented("a"))))
        #expect(throws: (any Error).self) {
            try JSONDecoder().decode(FeedName.self, from: Data(#""all_year""#.utf8))
        }
        #expect(throws: BoundingBoxError.southAboveNorth(south: 2, north: 1)) {
            try JSONDecoder().decode(BoundingBox.self, from: Data(#"{"west":1,"south":2,"east":3,"north":1}"#.utf8))
        }
    }
}
