import Foundation
import FoundationNetworking
import QuakeDownload
import Synchronization
import Testing

/// "Maintaining a local copy of server data" (SwiftData), with its earthquake sample ported listing by listing.
@Suite(.timeLimit(.minutes(5)))
struct LocalCopyOfServerData {
    /// The sample's two errors.
    enum DownloadError: Error {
        case wrongDataFormat(error: any Error)
        case missingData
    }

    /// The sample's `fetchFeatures()`.
    func fetchFeatures(from address: String) async throws -> FeedDocument {
        guard let url = URL(string: address) else { throw DownloadError.missingData }
        let (data, response) = try await URLSession.shared.data(from: url)
        guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw DownloadError.missingData }
        do {
            return try FeedDocument(data)
        } catch {
            throw DownloadError.wrongDataFormat(error: error)
        }
    }

    /// The sample's `refresh(modelContext:)`, which makes the same call for new and known quakes.
    func refresh(_ context: QuakeContext, from address: String) async throws {
        for quake in try await fetchFeatures(from: address).quakes { try context.edits.insert(quake) }
        try context.edits.save()
    }

    @Test("A feed is downloaded, decoded with every property, and saved; the next one updates what it knows")
    func oneCallInsertsAndUpdates() async throws {
        let server = try LoopbackServer()
        try await withCache { _, context in
            server.serve(try Data(contentsOf: Files.feed("all_day-1")), at: "/all_day.geojson")
            try await refresh(context, from: server.base + "/all_day.geojson")
            let first = try context.fetch()
            #expect(first.count == 24)
            let quake = try #require(first.first { $0.quake.id == "us7000zzay" }?.quake)
            #expect(quake.magnitude == 6.2 && quake.place == "83 km SE of Puerto Almendra, Chile")
            #expect(quake.magnitudeType != nil && quake.stationCount != nil && !quake.ids.members.isEmpty)

            server.serve(try Data(contentsOf: Files.feed("all_day-2")), at: "/all_day.geojson")
            try await refresh(context, from: server.base + "/all_day.geojson")
            let second = try context.fetch()
            #expect(second.first { $0.quake.id == quake.id }?.key == first.first { $0.quake.id == quake.id }?.key)
            // As in the sample, a different preferred id makes another quake. A mirror would recognize the quake.
            #expect(Set(second.map(\.quake.id)).isSuperset(of: ["us7000zzc4", "ci49000125"]))
            #expect(Set(second.map(\.quake.id)).count == second.count)
        }
    }

    @Test("An answer other than 200 and a document that is no feed are told apart, the latter with its cause")
    func errorsKeepTheirCause() async throws {
        let server = try LoopbackServer()
        await #expect(throws: DownloadError.self) { try await fetchFeatures(from: server.base + "/nothing") }
        server.serve(Data("<html>".utf8), at: "/page")
        do {
            _ = try await fetchFeatures(from: server.base + "/page")
            Issue.record("a page was taken for a feed")
        } catch DownloadError.wrongDataFormat(let error) {
            #expect(error is DocumentError)
        }
    }

    @Test("A mirror does all of it by itself: request, decode, insert or update, one transaction with its source")
    func refreshThroughAMirror() async throws {
        let server = try LoopbackServer()
        server.serve(try Data(contentsOf: Files.feed("all_day-1")), at: "/all_day.geojson")
        try await withFolder { folder in
            let cache = QuakeCache(path: folder.appending(path: "quakes.db").path)
            var mirror = FeedMirror(cache)
            mirror.endpoint = FeedEndpoint(base: server.base)
            let first = try await mirror.refresh(.allDay)
            #expect(first.outcome == .applied && first.inserted == [.new: 24])
            let known = try #require(try cache.context().quake(forID: "us7000zzc4"))

            server.serve(try Data(contentsOf: Files.feed("all_day-2")), at: "/all_day.geojson")
            let second = try await mirror.refresh(.allDay)
            #expect(second.inserted.values.reduce(0, +) == 4 && second.updated == [.revised: 4, .renamed: 1])
            // A quake whose preferred id changed keeps its record.
            #expect(known.quake.id == "us7000zzc4")
            #expect(try cache.context().quake(forKey: known.key)?.quake.id == "ci49000125")
            let transaction = try #require(second.transaction)
            #expect(transaction.provenance?.url == server.base + "/all_day.geojson")
            #expect(transaction.author == "quakes.refresh" && transaction.token == second.token)
        }
    }

    @Test("A program with an HTTP client of its own makes a transport of it, and is told how far a refresh is")
    func ownTransport() async throws {
        let steps = Mutex<[MirrorProgress]>([])
        try await withFolder { folder in
            let cache = QuakeCache(path: folder.appending(path: "quakes.db").path)
            let file = Files.feed("all_day-1")
            let transport = AsyncTransport { request in
                TransportResponse(status: 200, url: request.url, body: try Data(contentsOf: file))
            }
            let report = try await FeedMirror(cache, transport: transport).refresh(.allDay) { step in
                steps.withLock { $0.append(step) }
            }
            #expect(report.outcome == .applied && report.inserted == [.new: 24])
        }
        let address = FeedEndpoint().base + "/all_day.geojson"
        #expect(steps.withLock { $0.first } == .requesting(address))
        #expect(steps.withLock { $0.last } == .applying(features: 24))
    }

    @Test("A failed refresh leaves the copy as it was")
    func aFailedRefreshChangesNothing() async throws {
        let server = try LoopbackServer()
        try await withCache { cache, context in
            try context.edits.insert(.invented("a"))
            try context.edits.save()
            let before = try context.history.head()
            var mirror = FeedMirror(cache)
            mirror.endpoint = FeedEndpoint(base: server.base)
            await #expect(throws: FeedError.self) { try await mirror.refresh(.allDay) }
            server.serve(Data("{".utf8), at: "/all_day.geojson")
            await #expect(throws: FeedError.self) { try await mirror.refresh(.allDay) }
            #expect(try context.history.head() == before && context.fetch().map(\.quake) == [.invented("a")])
        }
    }

    @Test("The list has the sample's filter by text and day, its two orders, and a selection that survives a refresh")
    func listSortAndSelection() async throws {
        try await withCache { _, context in
            for quake in try FeedDocument(Data(contentsOf: Files.feed("all_day-1"))).quakes {
                try context.edits.insert(quake)
            }
            try context.edits.save()
            let day = try #require(try context.fetch().first).quake.originTime
            let filter = QuakeFilter(
                since: day - .seconds(86_400), until: day + .seconds(1), placesContain: ["CHILE"])
            let byTime = try context.fetch(QuakeDescriptor(filter: filter))
            let bySize = try context.fetch(
                QuakeDescriptor(
                    filter: filter,
                    sortedBy: [QuakeSortKey(.magnitude), QuakeSortKey(.time, order: .forward)]))
            #expect(!byTime.isEmpty && byTime.allSatisfy { $0.quake.place?.contains("Chile") == true })
            #expect(Set(byTime) == Set(bySize))
            #expect(bySize.map { $0.quake.magnitude ?? -9 } == bySize.map { $0.quake.magnitude ?? -9 }.sorted(by: >))
            // A predicate expresses conditions that the filter cannot.
            let shallow = try context.fetch { quake in
                (quake.hypocenter.depthKilometers ?? 0) < (quake.magnitude ?? 0) * 2
            }
            #expect(shallow.count < (try context.fetchCount()))

            // The selection is the identifier, as in the sample.
            let selectedID: StoredQuake.ID = try #require(bySize.first).id
            for quake in try FeedDocument(Data(contentsOf: Files.feed("all_day-2"))).quakes {
                try context.edits.insert(quake)
            }
            try context.edits.save()
            let selected = try #require(try context.quake(forKey: selectedID))
            #expect(selected.quake.id == bySize.first?.quake.id)
            // Time, size and place, as shown in the list.
            #expect(selected.quake.title == "M 6.2 - 83 km SE of Puerto Almendra, Chile")
            #expect(Date(selected.quake.originTime).timeIntervalSince1970 > 0)
        }
    }
}
