import Foundation
import QuakeEditing
import QuakeStore
import QuakeTestSupport
import Testing

/// A transaction without a named author has the name of the program that made it.
@Suite("Default authors", .scratch) final class AuthorTests: SuiteWithCache {
    @Test("Without an author, contexts, cache.write and cache.edit record the program's name")
    func programIsAuthor() async throws {
        let cache = QuakeCache(path: scratch.path, configuration: StoreConfiguration(program: "alarm 2.1"))
        try QuakeContext(cache).record(.sample("us1"))
        try await cache.write(author: "org.example.guest") { try $0.save(.sample("us2")) }
        try await cache.write { try $0.save(.sample("us3")) }
        try await cache.edit { try $0.insert(.sample("us4")) }
        let authors = try context.history.transactions(after: 0).map(\.author)
        #expect(authors == ["alarm 2.1", "org.example.guest", "alarm 2.1", "alarm 2.1"])
        try QuakeContext(cache).history.trim(through: 4)
        #expect(try context.history.floor().author == "alarm 2.1")
    }

    // Proves feature B3 of seeds.md.
    @Test("The name of a context is the purpose of its transactions that name none") func nameOfContext() async throws {
        context.name = "spring cleaning"
        try context.save(.sample("us1"))
        let editor = QuakeEditor(context)
        try editor.insert(.sample("us2"))
        try editor.save(TransactionOrigin(purpose: "import"))
        let purge = try context.maintenance.purge(QuakeFilter()).transaction
        try context.undo(transaction: #require(purge).number)
        let purposes = try context.history.transactions(after: 0).map(\.purpose)
        #expect(purposes == ["spring cleaning", "import", "spring cleaning", "undo of 3"])
        context.name = "a\u{0}b"
        #expect(throws: StoreError.self) { try context.save(.sample("us3")) }
        // The next write on the same worker does not inherit the name.
        try await scratch.store.write { $0.name = "first" }
        try await scratch.store.write { try $0.save(.sample("us4")) }
        #expect(try context.history.lastTransaction()?.purpose == nil)
    }

    @Test("By default, the program's name is the name of the running executable") func executableName() throws {
        let name = URL(filePath: try #require(CommandLine.arguments.first)).lastPathComponent
        #expect(StoreConfiguration().program == name && !name.isEmpty)
        let entry = try QuakeContext(QuakeCache(path: scratch.path)).save(.sample("us1"))
        #expect(entry?.author == name && entry?.program == name)
    }
}
