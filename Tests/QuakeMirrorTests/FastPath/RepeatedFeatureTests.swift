import Foundation
import QuakeModel
import QuakeTestSupport
import Testing

@testable import QuakeMirror

/// Documents by which skipping could be told from judging every feature, were nothing done about it.
@Suite("Documents that list an id twice give the same, whether unchanged features are skipped or judged")
struct RepeatedFeatureTests {
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
        #expect(try differences(after: Document.day(at: 0, old), Document.day(at: 5, new, old)) == [])
        #expect(try differences(after: Document.day(at: 0, old), Document.day(at: 5, old, new)) == [])
        #expect(try differences(after: Document.day(at: 0, old), Document.day(at: 5, old, new, old)) == [])
        #expect(try differences(after: Document.day(at: 0, old), Document.day(at: 5, new, new, old, old)) == [])
    }
}
