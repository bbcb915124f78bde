import Foundation
import QuakeTestSupport
import Testing

@Suite("Readers that stop reading long output", .endsInTime, .scratch(on: .disk)) struct SlowReaderTests {
    @Test("A full output pipe of quakes list does not keep the write-ahead log from being emptied")
    func stoppedReader() async throws {
        let (cache, scratch) = try Cache.andFolderOfTest()
        let feed = try scratch.write(ManyQuakes.feed(3_000), to: "many.geojson")
        try await cache.output("refresh", "-q", feed)
        let (lines, _) = try await cache.quakes.whileRunning(["list", "--format", "ndjson"]) { process in
            let first = try await process.nextLine()
            // The pipe is now full, and stays full until the log beside the cache is empty.
            var number = 0
            repeat {
                number += 1
                try await cache.output("refresh", "-q", number.isMultiple(of: 2) ? feed : Self.other)
            } while try Self.logSize(of: cache) > 0
            return [first].compactMap { $0 } + (try await process.remainingLines())
        }
        #expect(lines.count == 3_000)
    }

    private static let other = Fixture.url("feeds/all_day-1.geojson").path

    private static func logSize(of cache: Cache) throws -> Int {
        let path = cache.path + "-wal"
        guard FileManager.default.fileExists(atPath: path) else { return 0 }
        return (try FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.intValue ?? 0
    }
}
