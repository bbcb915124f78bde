import Foundation
import QuakeModel
import QuakeTestSupport
import Testing

@testable import QuakeMirror

/// Documents by which skipping can be told from judging every feature, each as small as it goes. Judging is right by the
/// rules; a test here fails as soon as skipping does the same.
@Suite("Where skipping unchanged features gives another answer than judging them")
struct KnownDifferenceTests {
    /// What differs after any of `documents`, applied one after the other.
    private func differences(after documents: Data...) throws -> [String] {
        try withScratchDirectory { directory in
            var twins = try TwinReplay(in: directory)
            return try documents.flatMap { try twins.apply(directory.write($0, to: "snapshot.geojson")) }
        }
    }

    @Test("A server that lags behind a merge splits it; back in time, the same bytes as before merge again (rule 3)")
    func mergeAfterSplit() throws {
        let (one, other) = (Quake.sample("us", "7000zz01"), Quake.sample("ak", "a2026zz"))
        let both = Quake.sample("us", "7000zz01", ids: ["aka2026zz", "us7000zz01"], updated: .minute(4))
        let documents = [
            Document.day(at: 0, one, other), Document.day(at: 5, both), Document.day(at: 6, one, other),
        ]
        #expect(try differences(after: documents[0], documents[1], documents[2]) == [])
        withKnownIssue("The quake split off stays, and its id leads to it until it is retracted") {
            let last = Document.day(at: 7, both)
            let found = try differences(after: documents[0], documents[1], documents[2], last)
            #expect(found == [])
        }
    }

    @Test("A feature listed twice in the same bytes is skipped as a duplicate the second time it is read, too")
    func sameBytesTwice() throws {
        let quake = Quake.sample("us", "7000zz01")
        #expect(try differences(after: Document.day(at: 0, quake, quake)) == [])
        withKnownIssue("Both count as the same; strict refreshes accept the document") {
            let again = Document.day(at: 5, quake, quake)
            let found = try differences(after: Document.day(at: 0, quake, quake), again)
            #expect(found == [])
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
