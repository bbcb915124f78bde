import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

@Suite("Events decoded from the output of the program", .endsInTime, .scratch) struct DecodedChangesTests {
    /// Returns a cache with every kind of change.
    private func changedCache() async throws -> Cache {
        let cache = try Cache.ofTest()
        for feed in ["all_day-1", "all_day-2", "hostile", "old-schema-2014"] { try await cache.refresh(feed) }
        try await cache.output("refresh", Fixture.url("feeds/all_day-1.csv").path)
        try await cache.output("purge", "--yes", "--min-mag", "4")
        try await cache.output("undo")
        try await cache.output("purge", "--yes", "--max-mag", "1")
        return cache
    }

    @Test("A line of changes --format ndjson decodes to its event, which is encoded as the same object")
    func lines() async throws {
        let cache = try await changedCache()
        let context = try QuakeContext(QuakeCache(path: cache.path), access: .reading)
        let unknown = "q1.0000000000000.1.00000000"
        let requests: [([String], HistoryDescriptor)] = [
            ([], HistoryDescriptor(start: .oldest)),
            (["--coalesce"], HistoryDescriptor(start: .oldest).with { $0.isCoalesced = true }),
            (["--since-token", unknown], HistoryDescriptor(after: HistoryToken(unknown))),
            (
                ["--max-origin-age", "1h"],
                HistoryDescriptor(start: .oldest).with { $0.maximumOriginAge = .seconds(3600) }
            ),
        ]
        for (options, descriptor) in requests {
            let result = try await cache.quakes.run(["changes", "--format", "ndjson"] + options)
            let lines = result.output.split(separator: "\n").map { Data($0.utf8) }
            var events: [HistoryEvent] = []
            try context.history.fetch(descriptor) { events.append($0) }
            #expect(lines.count == events.count && lines.count > 20, "\(options)")
            for (line, event) in zip(lines, events) {
                let decoded = try JSONDecoder().decode(HistoryEvent.self, from: line)
                #expect(decoded.withoutOrigin == event.withoutOrigin, "\(options)")
                #expect(try JSONValue(JSONEncoder().encode(decoded)) == JSONValue(line), "\(options)")
                // What the library encodes has all members of the line.
                let written = try JSONValue(JSONEncoder().encode(event))
                #expect(written.names == (try JSONValue(line)).names && !"\(written)".contains("_0"))
                #expect(try JSONDecoder().decode(HistoryEvent.self, from: JSONEncoder().encode(event)) == event)
            }
        }
    }
}

extension HistoryDescriptor {
    fileprivate func with(_ change: (inout HistoryDescriptor) -> Void) -> HistoryDescriptor {
        var copy = self
        change(&copy)
        return copy
    }
}

extension HistoryEvent {
    /// The event without what the program does not write about its transaction.
    fileprivate var withoutOrigin: HistoryEvent {
        guard case .change(var relevant) = self else { return self }
        let transaction = relevant.transaction
        let generated = transaction.provenance?.generated
        relevant.transaction = HistoryTransaction(
            storeID: "", number: transaction.number, time: transaction.time, fingerprint: 0,
            author: transaction.author, purpose: transaction.purpose, processID: 0, host: "", program: "",
            provenance: generated.map { HistoryTransaction.Provenance(generated: $0) })
        return .change(relevant)
    }
}
