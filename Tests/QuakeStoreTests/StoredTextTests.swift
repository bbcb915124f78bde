import Foundation
import QuakeTestSupport
import Testing

import QuakeEditing
@testable import QuakeStore

/// Descriptive texts from programs, from the network, and from an older cache.
@Suite("Texts in the cache", .scratch) final class StoredTextTests: SuiteWithCache {
    private static let refusedNames = ["", "a\u{0}b", "a\nb", "a\u{1B}[2Jb", String(repeating: "x", count: 100_000)]

    @Test(
        "An author, program or consumer name that is empty, too long or multi-line is rejected",
        arguments: refusedNames)
    func invalidNames(name: String) throws {
        let authored = try QuakeContext(scratch.store, author: name)
        #expect(throws: StoreError.self) { try authored.record(.sample("us701")) }
        let named = QuakeCache(path: scratch.path, configuration: StoreConfiguration(program: name))
        #expect(throws: StoreError.self) { try QuakeContext(named).record(.sample("us701")) }
        #expect {
            try context.history.acknowledge(context.history.currentToken(), for: name)
        } throws: { error in
            guard case StoreError.unstorableText(let subject, _)? = error as? StoreError else { return false }
            return subject == "consumer's name"
        }
        let count = try context.fetchCount()
        let consumers = try context.history.consumers()
        #expect(count == 0 && consumers.isEmpty)
    }

    @Test("A transaction whose purpose, URL or ETag contains U+0000 is rejected") func originWithNull() throws {
        let origins = [
            TransactionOrigin(purpose: "a\u{0}b"),
            TransactionOrigin(provenance: HistoryTransaction.Provenance(url: "a\u{0}b")),
            TransactionOrigin(provenance: HistoryTransaction.Provenance(etag: "a\u{0}b", featureCount: nil)),
        ]
        for origin in origins {
            #expect(throws: StoreError.self) {
                try context.write(origin) { try $0.insert(.sample("us701"), reason: .new) }
            }
        }
        #expect(try context.fetchCount() == 0)
    }

    @Test(
        "A quake whose unknown properties contain U+0000 is rejected",
        arguments: [#"{"a":"\#u{0}"}"#, #"{"a\#u{0}":1}"#])
    func unknownPropertiesWithNull(text: String) throws {
        let quake = Quake.sample("us701").with { $0.extra = text }
        #expect(throws: StoreError.unstorable(id: quake.id, property: .extra, value: text)) {
            try editor.insert(quake)
        }
        #expect(!editor.hasChanges)
    }

    @Test("A backup or restore path that contains U+0000 is rejected") func pathWithNull() throws {
        let path = scratch.path + "-copy\u{0}.db"
        let error = StoreError.cannotOpen(path: path, reason: "it is not the path of a file")
        #expect(throws: error) { try context.maintenance.backup(to: path) }
        #expect(throws: error) { try QuakeCache(path: path).restore(from: scratch.path) }
        #expect(throws: error) { try scratch.store.restore(from: path) }
        #expect(!FileManager.default.fileExists(atPath: scratch.path + "-copy"))
    }

    @Test("U+0000 is removed from text that is bound to an SQL statement") func documentWithNull() throws {
        let read = try context.session.connection.first("SELECT ?, length(?1)", "a\u{0}\u{301}b\u{0}") {
            ($0.text(0), $0.integer(1))
        }
        #expect(read?.0 == "a\u{301}b" && read?.1 == 3)
    }

    @Test("An error message about a 5,000-character value is shorter than 220 characters") func truncatedValueInError()
    {
        let long = String(repeating: "x", count: 5000)
        #expect(StoreError.unstorable(id: long, property: .place, value: long).words.count < 220)
    }
}
