@testable import QuakeMirror
import QuakeTestSupport
import Synchronization

@testable import QuakeStore

// The end of a story: the service is honest and quiet, and all clocks agree.

extension CoverageStory {
    /// The days after which an id that a response did not settle is asked about again.
    private static let patience = [8, 32]

    /// Checks that one refresh and one update fetch everything covered, and that a few more updates settle every
    /// id in question.
    func end() throws {
        act("peace")
        service.value.withLock { $0.makePeace() }
        try refreshAndUpdate()
        for days in Self.patience where try !context().sources.idsInQuestion().isEmpty {
            service.value.withLock { $0.change(after: .seconds(days * 86_400)) }
            try refreshAndUpdate()
        }
        try compare()
        try compareAtPeace()
        let (rows, idsInQuestion) = (try coveredRows(), try context().sources.idsInQuestion())
        service.value.withLock { $0.change() }
        try update()
        let later = try coveredRows()
        // Only this update fetches quakes that the service moved out of the coverage.
        let changed = later.filter { rows[$0.key] != $0.value }.map(\.value.id)
        if !changed.isEmpty { note("a second update changed \(changed)") }
        if try context().sources.idsInQuestion() != idsInQuestion { note("a second update asked something else") }
    }

    /// The quakes covered by parts of the catalog, except those edited manually. Updates' windows may add others.
    private func coveredRows() throws -> [QuakeKey: Quake] {
        let coveredRanges = try context().sources.coveredRanges().filter { $0.source == .backfill }
        return try hand.rows().filter { key, quake in
            !isEdited(key) && coveredRanges.contains { $0.contains(quake) }
        }
    }

    private func refreshAndUpdate() throws {
        try mirror().session { _ = try $0.refresh(.summary(FeedName(.all, .month))) }
        try update()
    }

    private func update() throws {
        _ = try mirror().backfill(.update, limits: BackfillSettings(), dryRun: false, MirrorObserver())
    }
}
