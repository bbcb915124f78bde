@testable import QuakeMirror
import QuakeTestSupport
import Synchronization
import Testing

@testable import QuakeStore

/// A network gives all its quakes of 200 days other codes. An update lists each with its old id among its `ids`, and
/// only the whole days show that the old ones are gone.
// Proves rules 3 and 19 of mirroring.md.
@Suite("Bulk recoding", .scratch, .computing, .endsInTime) struct BulkRecodingTests {
    private static let count = Thoroughness.count(2_000, of: 100_000)
    /// The most quakes in a response.
    private static let most = count / 5

    @Test("If a network gives thousands of quakes new codes, an update renames all in few requests") func bulkRecoding()
        throws
    {
        let year = Timestamp.sample - .seconds(365 * 86_400)
        var catalog = EventCatalog(now: .sample - .seconds(3_600))
        catalog.insertInvented(Self.count, in: year...year + .seconds(200 * 86_400))
        let model = Mutex(ModelService(catalog))
        model.withLock { $0.settings.maximumRows = Self.most }
        let transport = ScriptedTransport { url in
            let answer = model.withLock { $0.answer(to: url) }
            return .init(status: answer.status, headers: ["date": answer.headers["Date"] ?? ""], body: answer.body)
        }
        let (mirror, context) = try FeedMirror.ofNewCache(in: .ofTest(), transport) { .sample }
        try mirror.fetch(.quakes(QuakeFilter(since: year), again: false))
        #expect(try context.fetch().count == Self.count)
        let head = try context.history.currentToken()
        let asked = transport.addresses.count

        let recoded = model.withLock { model in
            var catalog = model.catalog
            catalog.now = .sample - .seconds(60)
            for quake in catalog.quakes { catalog.rename(quake.id, to: quake.net, "8" + quake.code) }
            model.catalog = catalog
            return catalog.quakes
        }
        let report = try mirror.fetch(.update)
        let requests = transport.addresses.dropFirst(asked)

        #expect(report.isComplete)
        var reasons: [ChangeReason: Int] = [:]
        try context.history.fetch(HistoryDescriptor(after: head), resyncs: false) { event in
            if case .change(let relevant) = event { reasons[relevant.change.reason, default: 0] += 1 }
        }
        #expect(reasons == [.renamed: Self.count])
        #expect(try Set(context.fetch().map(\.quake.id)) == Set(recoded.map(\.id)))
        #expect(try context.sources.idsInQuestion().isEmpty)
        // An update and whole windows, each counted before it is fetched, and half of them too large at first.
        let windows = Self.count / Self.most * 5 / 4 + 1
        // Quakes within a minute of a window's end are asked about by their ids.
        let single = requests.count { $0.contains("eventid=") }
        let others = requests.count - single
        #expect(others <= 8 * windows && single <= 50, "\(others) and \(single) requests for \(windows) windows")
    }
}
