import Foundation
import QuakeStore
import QuakeTestSupport
import Synchronization
import Testing

/// A cache filled by `quakes backfill` from the tests' event service.
struct CatalogCopy: Sendable {
    let cache: Cache
    let server: EventServiceServer
    /// The requested range of origin times, in whole seconds.
    let since: Timestamp
    let until: Timestamp

    /// Returns the arguments that fetch this range, followed by `more`.
    func arguments(_ more: [String] = []) -> [String] {
        ["backfill", "--since", since.iso8601, "--until", until.iso8601, "--service-url", server.queryURL] + more
    }

    /// Fetches this range.
    func fetch(_ more: String...) async throws -> ProcessResult {
        try await cache.quakes.run(arguments(more))
    }

    /// Updates the fetched quakes.
    func update(_ more: String...) async throws -> ProcessResult {
        try await cache.quakes.run(["backfill", "--service-url", server.queryURL] + more)
    }

    /// Makes the query with this ordinal fail, counted from 1.
    func fail(query ordinal: Int, with fault: EventServiceFault) {
        let queries = Atomic(0)
        server.fail(where: { request in
            guard request.method == "query" else { return nil }
            return queries.add(1, ordering: .relaxed).newValue == ordinal ? fault : nil
        })
    }

    /// Returns the cached quakes by id, in a form that can be compared.
    func quakes() throws -> [String: Quake] {
        let context = try QuakeContext(QuakeCache(path: cache.path), access: .reading)
        return Self.byID(try context.fetch().map(\.quake))
    }

    /// Expects that the cache holds the service's quakes, or only those matching `parameters` if there are any; with
    /// `uncertainties`, including these.
    func expectTruth(
        _ parameters: [String: String] = [:], uncertainties: Bool = false, comment: String = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        var parameters = parameters
        parameters["starttime"] = since.iso8601
        parameters["endtime"] = until.iso8601
        let quakes = try server.catalog.quakes(matching: parameters)
        let truth = Self.byID(uncertainties ? quakes.map(\.withInventedUncertainties) : quakes)
        let found = try self.quakes()
        let missing = truth.keys.filter { found[$0] == nil }.sorted()
        let surplus = found.keys.filter { truth[$0] == nil }.sorted()
        let different = truth.keys.filter { found[$0] != nil && found[$0] != truth[$0] }.sorted()
        #expect(
            missing.isEmpty, "\(comment) missing: \(missing.prefix(3)) of \(missing.count)",
            sourceLocation: sourceLocation)
        #expect(
            surplus.isEmpty, "\(comment) surplus: \(surplus.prefix(3)) of \(surplus.count)",
            sourceLocation: sourceLocation)
        let example = different.first.map { id in
            "\(String(describing: found[id])) is not \(String(describing: truth[id]))"
        }
        #expect(
            different.isEmpty, "\(comment) \(different.count) differ: \(example ?? "")", sourceLocation: sourceLocation)
    }

    /// Indexes the quakes by id, without titles and addresses, which derive from other values.
    private static func byID(_ quakes: [Quake]) -> [String: Quake] {
        var result: [String: Quake] = [:]
        for var quake in quakes {
            (quake.publishedTitle, quake.publishedURL, quake.publishedDetail, quake.extra) = (nil, nil, nil, nil)
            result[quake.id] = quake
        }
        return result
    }
}

extension CatalogCopy {
    /// Returns an event service of `count` invented quakes from 60 days, and a cache that does not exist yet. The suite
    /// must have the trait `.scratch`.
    static func ofTest(of count: Int, seed: UInt64 = 1, maximumRows: Int = 20_000) throws -> CatalogCopy {
        let now = Timestamp(milliseconds: Timestamp.now.milliseconds / 1000 * 1000)
        let (since, until) = (now - .seconds(70 * 86_400), now - .seconds(10 * 86_400))
        var catalog = EventCatalog(now: now - .seconds(86_400))
        catalog.insertInvented(count, in: since...until, seed: seed)
        let server = try EventServiceServer.ofTest(catalog)
        server.configure { $0.maximumRows = maximumRows }
        let cache = try Cache(in: .ofTest(), name: "\(seed).db")
        return CatalogCopy(cache: cache, server: server, since: since, until: until)
    }
}

extension EventCatalog {
    /// Creates a catalog with the quakes of `cache`.
    init(of cache: Cache, now: Timestamp = .sample) throws {
        self.init(now: now)
        for stored in try QuakeContext(QuakeCache(path: cache.path), access: .reading).fetch() {
            insert(stored.quake, updated: stored.quake.updated)
        }
    }
}

extension EventServiceServer {
    /// The origin-time ranges whose quakes were sent, in the order of the requests, without updates.
    var fetchedStretches: [ClosedRange<Timestamp>] {
        requests.compactMap { request in
            guard request.method == "query", request.status == 200, request.parameters["updatedafter"] == nil,
                let start = request.parameters["starttime"].flatMap({ Timestamp(iso8601: $0) }),
                let end = request.parameters["endtime"].flatMap({ Timestamp(iso8601: $0) }), start <= end
            else { return nil }
            return start...end
        }
    }
}

extension [ClosedRange<Timestamp>] {
    /// The total overlap of the ranges. A shared end or less than a second does not count, because ends are given in
    /// whole seconds.
    var overlap: Duration {
        var total = Duration.zero
        for (index, first) in enumerated() {
            for second in dropFirst(index + 1) where first.overlaps(second) {
                let common =
                    Swift.min(first.upperBound, second.upperBound) - Swift.max(first.lowerBound, second.lowerBound)
                if common >= .seconds(1) { total += common }
            }
        }
        return total
    }
}
