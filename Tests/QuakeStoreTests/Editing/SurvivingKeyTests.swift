import Foundation
import QuakeTestSupport
import Testing

import QuakeEditing
@testable import QuakeStore

@Suite("Changes by others in the meantime", .scratch) final class SurvivingKeyTests: SuiteWithCache {
    // Proves feature E2 of seeds.md.
    @Test("The local key of a merged quake finds the quake that it was merged into") func mergedQuake() throws {
        try context.save(.sample("usa"), .sample("cib"))
        let absorbed = try #require(try context.quake(id: "cib"))
        let kept = try #require(try context.quake(id: "usa"))
        try context.write { try $0.delete(absorbed, reason: .merged, mergedInto: kept.key) }
        var list = [absorbed, kept]
        try context.refresh(&list)
        #expect(list.map(\.key) == [kept.key])
        #expect(try context.quake(key: absorbed.key)?.key == kept.key)
        #expect(try context.quake(key: absorbed.key) == context.quake(id: "cib"))
        #expect(try context.unmergedQuake(forKey: absorbed.key) == nil)
        var changed = absorbed.quake
        changed.magnitude = 9
        try editor.update(absorbed, to: changed)
        let error = #expect(throws: StoreError.self) { try editor.save() }
        #expect(error == .merged(id: "cib", into: kept.quake.id))
        #expect(error?.localizedDescription == "The quake cib was merged into usa.")
        editor.rollback()
        #expect(try context.quake(key: kept.key)?.quake.magnitude == kept.quake.magnitude)
    }

    @Test("Every read of an open cache whose file was moved away throws an error") func replacedFile() throws {
        try context.save(.sample("usa"))
        #expect(try context.fetchCount() == 1)
        try FileManager.default.moveItem(atPath: context.cache.path, toPath: scratch.path + ".elsewhere")
        let error = StoreError.replaced(path: context.cache.path)
        #expect(throws: error) { try context.fetchCount() }
        #expect(throws: error) { try context.fetch() }
        #expect(throws: error) { try context.quake(id: "usa") }
        #expect(throws: error) { try context.history.currentToken() }
        #expect(throws: error) { try context.enumerate { _ in } }
    }

    @Test("A compaction or backup inside a transaction throws an error that mentions the transaction")
    func maintenanceInTransaction() throws {
        try context.save(.sample("usa"))
        try context.write { _ in
            #expect(throws: StoreError.contextState("a compaction inside a transaction")) {
                try context.maintenance.compact()
            }
            #expect(throws: StoreError.contextState("a backup inside a transaction")) {
                try context.maintenance.backup(to: scratch.path + ".copy")
            }
        }
    }
}
