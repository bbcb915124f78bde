import Foundation
import QuakeModel
import QuakeTestSupport
import Testing

@testable import QuakeMirror

/// Documents by which skipping can be told from judging every feature. Judging is right by the rules; a test here fails as soon
/// as skipping does the same.
@Suite("Where skipping unchanged features gives another answer than judging them")
struct KnownDifferenceTests {
    /// What differs after any of `documents`, applied one after the other.
    private func differences(after documents: Data...) throws -> [String] {
        try withScratchDirectory { directory in
            var twins = try TwinReplay(in: directory)
            return try documents.flatMap { try twins.apply(directory.write($0, to: "snapshot.geojson")) }
        }
    }

    @Test("Of two features of one id the first stands, also where the second is what the cache holds")
    func firstOfTwoStands() throws {
        let (old, new) = (
            Quake.sample("us", "7000zz01"), Quake.sample("us", "7000zz01", magnitude: 3, updated: .minute(1))
        )
        withKnownIssue("What is seen is taken for listed before anything is judged, so that the second stands") {
            let found = try differences(after: Document.day(at: 0, old), Document.day(at: 5, new, old))
            #expect(found == [])
        }
    }
}
