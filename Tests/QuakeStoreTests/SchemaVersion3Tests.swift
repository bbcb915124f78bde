import Foundation
import QuakeModel
import QuakeTestSupport
import Testing

@testable import QuakeStore

@Suite("Addresses that version 2 stored")
struct SchemaVersion3Tests {
    private static let address = "http://bob:s3cr3t@host/feed?apikey=s3cr3t"
    private static let redacted = "http://host/feed?apikey=redacted"

    /// A cache of version 2 in which two addresses of one feed were asked, with the password in every place.
    private func makeVersion2(at path: String) throws {
        let context = try QuakeCache(path: path).context(access: .creating)
        let provenance = HistoryTransaction.Provenance(url: Self.address)
        _ = try context.write(TransactionOrigin(context: Self.address, provenance: provenance)) { writer in
            try writer.insert(.sample())
        }
        for (name, minute) in [(Self.address, 2), (Self.address.replacing("bob", with: "eve"), 1)] {
            var record = FeedRecord(name: name)
            record.url = name
            record.etag = "\(minute)"
            record.checked = Timestamp(milliseconds: Int64(minute) * 60_000)
            record.error = "\(name) answered with status 500."
            record.errorTime = record.checked
            try context.save(record)
        }
        try context.database().execute("DROP TABLE catalogue; DROP INDEX quakes_by_place; PRAGMA user_version = 2")
    }

    /// What a reader of the file finds: no password, and of the two feeds the one that was asked last.
    private func expectRedacted(_ context: QuakeContext, feeds count: Int) throws {
        let feeds = try context.feeds()
        #expect(feeds.count == count)
        #expect(try context.feed(named: Self.redacted)?.etag == "2" || count == 2)
        #expect(feeds.allSatisfy { $0.name == Self.redacted && $0.url == Self.redacted })
        #expect(feeds.allSatisfy { $0.error == "\(Self.redacted) answered with status 500." })
        let transaction = try #require(try context.newestTransactions(1).first)
        #expect(transaction.context == Self.redacted && transaction.provenance?.url == Self.redacted)
    }

    @Test("They are redacted when the file is upgraded, and no byte of the password is left in it")
    func upgrade() throws {
        try withScratchDirectory { scratch in
            let path = scratch.path("quakes.db")
            try makeVersion2(at: path)
            #expect(try Data(contentsOf: URL(filePath: path)).range(of: Data("s3cr3t".utf8)) != nil)
            try expectRedacted(try QuakeCache(path: path).context(), feeds: 1)
            #expect(try Data(contentsOf: URL(filePath: path)).range(of: Data("s3cr3t".utf8)) == nil)
        }
    }

    @Test("A reader that cannot upgrade the file sees them redacted, and leaves the file as it is")
    func readOnly() throws {
        try withScratchDirectory { scratch in
            let path = scratch.path("quakes.db")
            try makeVersion2(at: path)
            let before = try Data(contentsOf: URL(filePath: path))
            let reader = try QuakeCache(path: path).context(access: .reading)
            try expectRedacted(reader, feeds: 2)
            #expect(try reader.head().number == 1 && reader.statistics().transactions == 1)
            #expect(try Data(contentsOf: URL(filePath: path)) == before)
        }
    }
}
