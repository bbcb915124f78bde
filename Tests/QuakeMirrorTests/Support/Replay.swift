import Foundation
@testable import QuakeMirror
import QuakeTestSupport

/// A scratch cache that is refreshed from documents one by one, and the changes by each of them.
struct Replay {
    let context: QuakeContext
    let mirror: MirrorSession
    private let directory: ScratchDirectory

    /// Creates an empty cache in `directory`. Without a transport, only files can be refreshed.
    init(
        in directory: ScratchDirectory, settings: MirrorSettings = MirrorSettings(), name: String = "quakes.db",
        transport: any HTTPTransport = NoTransport(), endpoint: FeedEndpoint = FeedEndpoint(),
        service: EventService? = nil, serviceScope: ServiceScope = .everything, skipsUnchanged: Bool = true,
        now: Timestamp = .minute(60 * 1440)
    ) throws {
        self.directory = directory
        let clock: @Sendable () -> Timestamp = { now }
        context = try QuakeContext(
            QuakeCache(
                path: directory.path(name), configuration: StoreConfiguration(program: "quakes test", now: clock)
            ), author: "test", access: .creating)
        mirror = MirrorSession(
            context: context, client: FeedClient(transport: transport, userAgent: "quakes/test", now: clock),
            endpoint: endpoint, settings: settings, service: service,
            serviceScope: serviceScope, skipsUnchanged: skipsUnchanged, now: clock)
    }

    /// The effects of one refresh.
    struct Step {
        var report: RefreshReport
        var changes: [HistoryChange]
    }

    /// Refreshes from the file at `path`.
    func apply(_ path: String) throws -> Step { try apply(.file(path)) }

    /// Refreshes from a file that contains `document`.
    @discardableResult
    func apply(_ document: Data) throws -> Step {
        try apply(.file(directory.write(document, to: "document.geojson")))
    }

    /// Refreshes from `source`, for CSV as of `generated`.
    func apply(_ source: FeedSource, generated: Timestamp? = nil) throws -> Step {
        let before = try context.history.currentToken().number
        let report = try mirror.refresh(source, generated: generated)
        return Step(report: report, changes: try changes(after: before))
    }

    /// Returns the report of a dry run from a file that contains `document`.
    func rehearse(_ document: Data) throws -> RefreshReport {
        var rehearsal = mirror
        rehearsal.dryRun = true
        return try rehearsal.refresh(.file(directory.write(document, to: "document.geojson")))
    }

    /// Returns the changes made after transaction `number`, in order.
    func changes(after number: TransactionNumber) throws -> [HistoryChange] {
        var changes: [HistoryChange] = []
        try context.history.fetch(HistoryDescriptor(start: .transaction(number)), resyncs: false) { event in
            if case .change(let relevant) = event { changes.append(relevant.change) }
        }
        return changes
    }

    /// Returns the preferred ids of the quakes with unconfirmed changes.
    func unconfirmedIDs() throws -> Set<String> {
        Set(try context.sources.unconfirmedChanges().compactMap { try context.quake(key: $0.quakeKey)?.quake.id })
    }
}
