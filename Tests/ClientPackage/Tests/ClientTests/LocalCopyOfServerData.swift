import Foundation
import QuakeEditing
import QuakeMirror
import Testing

/// "Maintaining a local copy of server data" (SwiftData), with its earthquake sample ported listing by listing.
struct LocalCopyOfServerData {
    /// The sample's `refresh(modelContext:)`, which makes the same call for new and known quakes.
    private func refresh(_ context: QuakeContext, from feed: String) throws {
        let editor = QuakeEditor(context)
        try editor.insert(contentsOf: FeedDocument(Data(contentsOf: Files.feed(feed))).quakes)
        try editor.save()
    }

    // Proves features A5 and A6 of seeds.md.
    @Test("Inserting a later feed snapshot adds its new quakes without duplicating known ids")
    func feedIsStoredAndUpdated() async throws {
        try await withCache { _, context in
            try refresh(context, from: "all_day-1")
            #expect(try context.fetchCount() == 24)
            let chile = QuakeFilter(placesContain: ["CHILE"])
            let order = [QuakeSortKey(.magnitude), QuakeSortKey(.time, order: .forward)]
            let selected = try #require(try context.fetch(QuakeDescriptor(filter: chile, sortBy: order)).first)
            #expect(selected.quake.title == "M 6.2 - 83 km SE of Puerto Almendra, Chile")
            #expect(selected.quake.magnitudeType != nil && selected.quake.stationCount != nil)

            try refresh(context, from: "all_day-2")
            // The selection is the identifier, as in the sample.
            #expect(try context.quake(key: selected.id)?.quake.id == "us7000zzay")
            let ids = try context.fetch().map(\.quake.id)
            // As in the sample, a different preferred id makes another quake. A mirror would recognize the quake.
            #expect(Set(ids).isSuperset(of: ["us7000zzc4", "ci49000125"]) && Set(ids).count == ids.count)
        }
    }

    // Proves feature A4 of seeds.md.
    @Test("Public errors have a one-sentence errorDescription, which localizedDescription repeats")
    func errorDescriptions() {
        let errors: [(any LocalizedError, String)] = [
            (FeedError.status(404, url: "http://x.example/y"), "http://x.example/y returned status 404."),
            (FeedError.transport(TransportError(.interrupted, "It was interrupted.")), "It was interrupted."),
            (BoundingBoxError.notFinite, "An edge of the rectangle is not a number of degrees."),
            (StoreError.gone(id: "usa", key: QuakeKey(1)), "The quake usa is no longer in the cache."),
        ]
        for (error, sentence) in errors {
            #expect(error.errorDescription == sentence)
            #expect(error.localizedDescription == sentence)
        }
        #expect("\(StoreError.unstorable(id: "usa", property: .mag, value: "nan"))".contains("property: mag,"))
    }
}
