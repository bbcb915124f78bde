import Foundation
import QuakeModel
import QuakeStore
import Testing

/// What a program with a user interface needs: predicates, and a list that follows the cache.
struct ListsOfUserInterfaces {
    @Test("A #Predicate as in SwiftData")
    func predicate() async throws {
        try await withCache { cache, context in
            for (code, magnitude) in [("a", 1), ("b", 5), ("c", 6)] {
                try context.edits.insert(.invented(code, magnitude: Double(magnitude)))
            }
            try context.edits.save()
            let smallest = 5.0
            let predicate = #Predicate<Quake> { ($0.magnitude ?? 0) >= smallest && $0.net == "us" }
            let descriptor = QuakeDescriptor(sort: .magnitude)
            #expect(try context.fetch(descriptor, where: predicate).map(\.quake.code) == ["c", "b"])
            #expect(try context.fetchCount(where: predicate) == 2)
            #expect(try await cache.read { try $0.fetch(where: #Predicate { $0.code == "a" }).count } == 1)
            try context.pin(to: .current)
            #expect(try context.fetch(where: predicate).count == 2)
        }
    }

    @Test("An observable list on the main actor, whose selection survives a rename and a merge")
    @MainActor func list() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let cache = QuakeCache(path: folder.appendingPathComponent("quakes.db").path)
        try await cache.write { context in
            try context.edits.insert(.invented("a", magnitude: 3))
            try context.edits.insert(.invented("b", magnitude: 4))
        }
        let list = QuakeList(matching: QuakeDescriptor(sort: .magnitude), in: cache, every: .milliseconds(20))
        let following = Task { try await list.follow() }
        defer { following.cancel() }
        func wait(until condition: () -> Bool) async throws {
            for _ in 0..<500 where !condition() { try await Task.sleep(for: .milliseconds(10)) }
            #expect(condition())
        }
        try await wait { list.quakes.map(\.quake.code) == ["b", "a"] }
        let chosen = try #require(list.quakes.first)
        list.selection = chosen.key
        try await cache.write { context in
            guard let stored = try context.quake(forID: "usb") else { return }
            var renamed = stored.quake
            (renamed.code, renamed.ids) = ("c", PublishedSet("usb,usc"))
            try context.edits.update(stored, to: renamed)
        }
        try await wait { list.selectedQuake?.quake.code == "c" }
        #expect(list.selection == chosen.key)
        // A quake that lists the preferred ids of two networks unites them in the older one.
        try await cache.write { try $0.edits.insert(.invented("z", net: "ci", magnitude: 6)) }
        try await wait { list.quakes.count == 3 }
        list.selection = list.quakes.first?.key
        try await cache.write { context in
            guard var united = try context.quake(forID: "usa")?.quake else { return }
            united.ids = PublishedSet("usa,ciz")
            try context.edits.insert(united)
        }
        try await wait { list.selectedQuake?.quake.code == "a" }
        list.selection = nil
        try await wait { list.selectedQuake == nil }
    }
}
