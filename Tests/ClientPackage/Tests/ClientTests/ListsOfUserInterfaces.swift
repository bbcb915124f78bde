import Foundation
import QuakeDownload
import QuakeEditing
import Testing

/// Features for programs with a user interface: predicates, and a list that follows the cache.
struct ListsOfUserInterfaces {
    // Proves feature E1 of seeds.md.
    @Test("fetch applies the #Predicate of a descriptor, even in a pinned context")
    func predicateFetch() async throws {
        try await withCache { cache, context in
            let editor = QuakeEditor(context)
            for (code, magnitude) in [("a", 1), ("b", 5), ("c", 6)] {
                try editor.insert(.invented(code, magnitude: Double(magnitude)))
            }
            try editor.save()
            let smallest = 5.0
            let predicate = #Predicate<Quake> { ($0.magnitude ?? 0) >= smallest && $0.net == "us" }
            let descriptor = QuakeDescriptor(predicate: predicate, sortBy: .magnitude)
            #expect(try context.fetch(descriptor).map(\.quake.code) == ["c", "b"])
            #expect(try context.fetchCount(descriptor) == 2)
            let batches = try context.fetch(descriptor, batchSize: 1)
            #expect(try batches[1].quakes().map(\.quake.code) == ["b"])
            let first = QuakeDescriptor(predicate: #Predicate { $0.code == "a" })
            #expect(try await cache.read { try $0.fetch(first).count } == 1)
            try context.pin(to: .current)
            #expect(try context.fetch(descriptor).count == 2)
        }
    }

    /// Writes a feed of quakes with an id, other ids and a magnitude, and refreshes from it.
    private func refresh(_ cache: QuakeCache, _ quakes: [(id: String, ids: String, magnitude: Int)]) async throws {
        let now = Int(Date().timeIntervalSince1970 * 1000)
        let features = quakes.map { quake in
            let (net, code) = (quake.id.prefix(2), quake.id.dropFirst(2))
            return #"{"type":"Feature","id":"\#(quake.id)","geometry":{"type":"Point","coordinates":[1,2,3]},"#
                + #""properties":{"net":"\#(net)","code":"\#(code)","ids":",\#(quake.ids),","time":\#(now - 60_000),"#
                + #""updated":\#(now),"mag":\#(quake.magnitude),"type":"earthquake"}}"#
        }
        let metadata = #"{"generated":\#(now),"url":"https://example.org/all_day.geojson"}"#
        let feed =
            #"{"type":"FeatureCollection","metadata":\#(metadata),"features":[\#(features.joined(separator: ","))]}"#
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).geojson")
        defer { try? FileManager.default.removeItem(at: file) }
        try feed.write(to: file, atomically: true, encoding: .utf8)
        _ = try await FeedMirror(cache).refresh(.file(file.path))
    }

    // Proves feature A6 of seeds.md.
    @Test("A QuakeList's selection follows a quake that is renamed or merged into another quake")
    @MainActor func listKeepsSelection() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let cache = QuakeCache(path: folder.appendingPathComponent("quakes.db").path)
        try await refresh(cache, [("usa", "usa", 3), ("usb", "usb", 4)])
        let list = QuakeList(cache, descriptor: QuakeDescriptor(sortBy: .magnitude), every: .milliseconds(50))
        let following = Task { try await list.follow() }
        defer { following.cancel() }
        func wait(until condition: () -> Bool) async throws {
            for _ in 0..<500 where !condition() { try await Task.sleep(for: .milliseconds(10)) }
            #expect(condition())
        }
        try await wait { list.quakes.map(\.quake.code) == ["b", "a"] }
        let chosen = try #require(list.quakes.first)
        list.selection = chosen.key
        try await refresh(cache, [("usa", "usa", 3), ("cic", "cic,usb", 4), ("ciz", "ciz", 6)])
        try await wait { list.selectedQuake?.quake.code == "c" }
        #expect(list.selection == chosen.key)
        try await wait { list.quakes.count == 3 }
        list.selection = list.quakes.first?.key
        // A quake that lists the preferred ids of two networks merges them into the older quake.
        try await refresh(cache, [("usa", "usa,ciz", 3), ("cic", "cic,usb", 4)])
        try await wait { list.selectedQuake?.quake.code == "a" }
        list.selection = nil
        try await wait { list.selectedQuake == nil }
        // The filter in a window.
        list.descriptor.filter.minimumMagnitude = 4
        try await wait { list.quakes.map(\.quake.code) == ["c"] }
        (list.descriptor.filter, list.descriptor.predicate) = (QuakeFilter(), #Predicate { $0.net == "us" })
        try await wait { list.quakes.map(\.quake.code) == ["a"] }
    }
}
