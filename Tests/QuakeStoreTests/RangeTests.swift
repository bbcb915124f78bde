import Foundation
import QuakeEditing
import QuakeStore
import QuakeTestSupport
import Testing

/// A number that makes no sense is refused by name; it never means "no limit".
@Suite("Numbers out of range", .scratch) final class RangeTests: SuiteWithCache {
    @Test("A read with a negative limit or offset throws StoreError.outOfRange", arguments: [true, false])
    func negativeLimit(hasPredicate: Bool) throws {
        try context.record(.sample("us1"))
        let all: Predicate<Quake>? = hasPredicate ? #Predicate { $0.net == "us" } : nil
        let limit = QuakeDescriptor(predicate: all, limit: -1)
        let offset = QuakeDescriptor(predicate: all, offset: -2)
        for (descriptor, error) in [
            (limit, StoreError.outOfRange("limit", value: "-1")),
            (offset, StoreError.outOfRange("offset", value: "-2")),
        ] {
            #expect(throws: error) { try context.fetch(descriptor) }
            #expect(throws: error) { try context.fetchCount(descriptor) }
            #expect(throws: error) { try context.fetchIdentifiers(descriptor) }
            #expect(throws: error) { try context.enumerate(descriptor) { _ in } }
            #expect(throws: error) { try context.fetch(descriptor, batchSize: 5) }
            #expect(throws: error) { try editor.fetch(descriptor) }
            #expect(throws: error) { try editor.fetchCount(descriptor) }
        }
        #expect(try context.fetch(QuakeDescriptor(predicate: all, limit: 0)).isEmpty)
        #expect(StoreError.outOfRange("limit", value: "-1").words == "The value -1 is out of range for limit.")
    }

    @Test("A batch size below 1 throws StoreError.outOfRange") func batchSize() throws {
        for size in [0, -1] {
            let error = StoreError.outOfRange("batchSize", value: "\(size)")
            #expect(throws: error) { try context.fetch(batchSize: size) }
            #expect(throws: error) { try context.enumerate(batchSize: size) { _ in } }
        }
    }

    @Test("History with a negative limit, or a verification with one, throws StoreError.outOfRange")
    func history() async throws {
        var descriptor = HistoryDescriptor()
        descriptor.limit = -1
        let error = StoreError.outOfRange("limit", value: "-1")
        #expect(throws: error) { try context.events(descriptor) }
        #expect(throws: error) { try context.history.transactions(after: 0, limit: -1) }
        await #expect(throws: error) {
            var changes = self.scratch.store.changes(descriptor).makeAsyncIterator()
            _ = try await changes.next()
        }
        #expect(throws: StoreError.outOfRange("findingsPerCheck", value: "-1")) {
            try context.maintenance.verify(findingsPerCheck: -1)
        }
    }

    @Test("Following with an interval below 50 milliseconds throws StoreError.outOfRange", arguments: [49, 0, -1])
    @MainActor func interval(milliseconds: Int) async throws {
        let interval = Duration.milliseconds(milliseconds)
        let error = StoreError.outOfRange("interval", value: "\(interval)")
        let cache = scratch.store
        await #expect(throws: error) {
            var lists = cache.quakes(every: interval).makeAsyncIterator()
            _ = try await lists.next()
        }
        await #expect(throws: error) {
            var changes = cache.changes(after: nil, every: interval).makeAsyncIterator()
            _ = try await changes.next()
        }
        await #expect(throws: error) { try await QuakeList(cache, every: interval).follow() }
    }

    @Test("A cache with a negative busy timeout or without readers throws StoreError.outOfRange")
    func configuration() async throws {
        let hasty = QuakeCache(path: scratch.path, configuration: StoreConfiguration(busyTimeout: .seconds(-1)))
        let negative = StoreError.outOfRange("busyTimeout", value: "-1.0 seconds")
        #expect(throws: negative) { try QuakeContext(hasty) }
        await #expect(throws: negative) { try await hasty.read { try $0.fetchCount() } }
        var configuration = StoreConfiguration()
        configuration.maximumReaderCount = 0
        let unread = QuakeCache(path: scratch.path, configuration: configuration)
        await #expect(throws: StoreError.outOfRange("maximumReaderCount", value: "0")) {
            try await unread.read { try $0.fetchCount() }
        }
    }

    @Test("A filter with NaN throws StoreError.outOfRange, and accepts no quake in memory")
    func notANumber() throws {
        let nowhere = GeographicPoint(latitude: 0, longitude: .nan)
        for (name, filter) in [
            ("minimumMagnitude", QuakeFilter(minimumMagnitude: .nan)),
            ("maximumMagnitude", QuakeFilter(maximumMagnitude: .nan)),
            ("minimumDepthKilometers", QuakeFilter(minimumDepthKilometers: .nan)),
            ("maximumDepthKilometers", QuakeFilter(maximumDepthKilometers: .nan)),
            ("circles", QuakeFilter(circles: [.init(center: nowhere, radiusKilometers: 20_100)])),
            ("intensity", QuakeFilter(intensity: .init(places: [nowhere], minimumIntensity: 1))),
        ] {
            let error = StoreError.outOfRange(name, value: "nan")
            #expect(throws: error) { try context.fetch(filter) }
            #expect(throws: error) { try context.fetchCount(filter) }
            #expect(throws: error) { try context.summary(of: filter) }
            #expect(throws: error) { try context.maintenance.purge(filter) }
            var descriptor = HistoryDescriptor()
            descriptor.filter = filter
            #expect(throws: error) { try context.events(descriptor) }
            #expect(!filter.accepts(.sample("us1")))
        }
        #expect(throws: StoreError.outOfRange("distance", value: "nan")) {
            try context.fetch(QuakeDescriptor(sortBy: .distance(from: [nowhere])))
        }
    }
}
