import Foundation
import QuakeMirror
import QuakeStore
import QuakeTestSupport
import Testing

@Suite("Filters and limits of a backfill") struct RequestableFilterTests {
    private func mirror(_ cache: QuakeCache) -> FeedMirror {
        let transport = AsyncTransport { request in
            Issue.record("requested \(request.url)")
            return TransportResponse(status: 404, url: request.url, body: Data())
        }
        return FeedMirror(cache, transport: transport)
    }

    private static let everywhere = QuakeFilter.Circle(
        center: GeographicPoint(latitude: 0, longitude: 0), radiusKilometers: .infinity)

    @Test(
        "A backfill refuses numbers and times that no request can express, by name, before it stores anything",
        arguments: [
            ("minimumMagnitude", QuakeFilter(minimumMagnitude: .infinity)),
            ("maximumMagnitude", QuakeFilter(maximumMagnitude: .nan)),
            ("minimumDepthKilometers", QuakeFilter(minimumDepthKilometers: -.infinity)),
            ("circles", QuakeFilter(circles: [everywhere])),
            ("since", QuakeFilter(since: Timestamp(milliseconds: .min))),
            ("until", QuakeFilter(until: Timestamp(milliseconds: .max))),
        ])
    func filters(name: String, filter: QuakeFilter) async throws {
        let cache = try QuakeCache.inMemory()
        let error = await #expect(throws: StoreError.self) { try await mirror(cache).backfill(filter) }
        guard case .outOfRange(name, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try await cache.status().coveredRanges == [])
    }

    @Test(
        "Negative limits and pauses of a backfill are out of range",
        arguments: [
            BackfillSettings(pause: .seconds(-5)), BackfillSettings(maximumRequests: -1),
            BackfillSettings(maximumTime: .seconds(-1)),
        ])
    func limits(settings: BackfillSettings) async throws {
        let cache = try QuakeCache.inMemory()
        let error = await #expect(throws: StoreError.self) {
            try await mirror(cache).backfill(QuakeFilter(), settings: settings)
        }
        guard case .outOfRange = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
