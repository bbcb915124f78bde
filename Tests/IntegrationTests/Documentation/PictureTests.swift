import Foundation
import QuakeTestSupport
import Testing

@Suite("Pictures in documents", .timeLimit(.minutes(1)))
struct PictureTests {
    @Test("The map in the README is what its commands make")
    func map() async throws {
        try await withScratchDirectory { directory in
            let cache = Cache(in: directory)
            try await cache.refresh("all_day-1")
            let map = try await cache.output("map", "--select", "us7000zzay", "--format", "svg")
            let shown = try Document("Documentation/map.svg").text
            let isCurrent = map == shown
            #expect(isCurrent, "Run the README's first commands with --output Documentation/map.svg")
        }
    }
}
