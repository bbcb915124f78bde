import Foundation
import QuakeEditing
import QuakeStore
import QuakeTestSupport
import Testing

@Suite("Calls for one purpose", .scratch) final class ShortFormTests: SuiteWithCache {
    @Test("A cache identified by a URL is the one at the URL's path") func cacheAtURL() async throws {
        try context.save(.coded("a", mag: 4), .coded("b", mag: 5))
        let cache = QuakeCache(url: URL(filePath: scratch.path))
        #expect(cache.path == scratch.path)
        let strong = QuakeDescriptor(filter: QuakeFilter(minimumMagnitude: 4.5))
        #expect(try await cache.fetch(strong).map(\.quake.magnitude) == [5])
        let status = try await cache.status()
        #expect(status.sources == [] && status.coveredRanges == [] && status.newestPublication == nil)
        let remote = try #require(URL(string: "https://example.org/quakes.db"))
        await #expect(throws: StoreError.self) { try await QuakeCache(url: remote).fetch() }
    }

    @Test("The history since a date has the changes committed after it, and then the end")
    func historySinceADate() throws {
        try context.save(.coded("a"))
        let date = Date(scratch.clock.now)
        scratch.clock.advance(by: .seconds(60))
        try context.save(.coded("b"))
        let events = try context.fetchHistory(HistoryDescriptor(since: date))
        let codes = events.compactMap { event in
            if case .change(let relevant) = event { relevant.change.after?.code } else { nil }
        }
        #expect(codes == ["b"] && events.count == 2)
        guard case .end(let end)? = events.last else { throw CancellationError() }
        #expect(try end.token == context.history.currentToken())
    }

    @Test("A context pinned to a token reads the state at the token") func pinToToken() throws {
        try context.save(.coded("a"))
        let token = try context.history.currentToken()
        try context.save(.coded("b"))
        try context.pin(to: token)
        #expect(try context.fetchCount() == 1)
        #expect(try context.history.currentToken() == token)
    }
}
