import Foundation
@testable import QuakeMirror
import QuakeTestSupport
import Synchronization
import Testing

// Proves rule 9 of mirroring.md.
@Suite("The event service on an absence that the feeds confirmed", .scratch) struct ServiceConfirmationTests {
    private let directory: ScratchDirectory

    init() throws { directory = try ScratchDirectory.ofTest() }

    private let missing = Quake.sample("us", "7000zz01", magnitude: 2)
    private let other = Quake.sample("ci", "49000301", magnitude: 3)

    /// The effects of a refresh that confirms the absence of `missing`, with a service that returns `answer`.
    private struct Outcome {
        var step: Replay.Step
        var replay: Replay
        var transport: ScriptedTransport
        var unconfirmedIDs: Set<String>
    }

    /// Refreshes from a snapshot that lists both quakes and then from one that lists only `other`.
    private func ask(
        settings: MirrorSettings = Self.once, now: Timestamp = .minute(7),
        _ answer: @escaping @Sendable (String) -> ScriptedTransport.Response
    ) throws -> Outcome {
        let transport = ScriptedTransport(answer)
        let replay = try Replay(
            in: directory, settings: settings, name: "\(UUID()).db", service: Self.service(transport), now: now)
        try replay.apply(Document.day(at: 0, missing, other))
        let step = try replay.apply(Document.day(at: 5, other))
        return try Outcome(step: step, replay: replay, transport: transport, unconfirmedIDs: replay.unconfirmedIDs())
    }

    @Test("If the event service answers HTTP 409 about a missing quake, the quake is deleted") func deletedQuake()
        throws
    {
        let outcome = try ask { _ in .init(status: 409) }
        #expect(outcome.transport.addresses == ["https://service/query?eventid=us7000zz01&format=geojson"])
        let change = try #require(outcome.step.changes.first)
        #expect(outcome.step.changes.count == 1 && change.reason == .retracted)
        #expect(change.before?.magnitude == 2)
        #expect(outcome.step.report.deleted == [.retracted: 1])
        #expect(outcome.step.report.asked == 1 && outcome.step.report.missing == 0)
        #expect(outcome.step.report.transaction?.provenance?.url == "https://service/query")
        #expect(outcome.unconfirmedIDs.isEmpty)
    }

    @Test("If the event service returns a missing quake under the same id, the absence is discarded")
    func sameQuake() throws {
        let body = Document.event(missing)
        let outcome = try ask { _ in .init(status: 200, body: body) }
        #expect(outcome.step.changes.isEmpty && outcome.step.report.missing == 0)
        #expect(outcome.unconfirmedIDs.isEmpty)
    }

    @Test("A missing quake that the event service returns under a new id is renamed and keeps its key")
    func renamedQuake() throws {
        let body = Document.event(
            .sample("ak", "a2026zz", ids: ["aka2026zz", "US7000ZZ01"], magnitude: 2.5, updated: .minute(1)))
        let outcome = try ask { _ in .init(status: 200, body: body) }
        let change = try #require(outcome.step.changes.first)
        #expect(outcome.step.changes.count == 1 && change.reason == .renamed)
        #expect(change.before?.id == "us7000zz01" && change.after?.id == "aka2026zz")
        #expect(change.after?.magnitude == 2.5 && change.after?.extra == nil)
        let context = outcome.replay.context
        #expect(try context.key(ofID: "us7000zz01") == change.quakeKey)
        #expect(try context.key(ofID: "aka2026zz") == change.quakeKey)
        #expect(outcome.unconfirmedIDs.isEmpty)
    }

    @Test("An event service response confirms a quake's values as of the time of the request")
    func confirmedAsOfRequest() throws {
        let body = Document.event(.sample("ak", "a2026zz", ids: ["aka2026zz", "us7000zz01"]))
        let outcome = try ask(now: .minute(3)) { _ in .init(status: 200, body: body) }
        let key = try #require(outcome.step.changes.first?.quakeKey)
        let known = try outcome.replay.context.write { try $0.knownQuake(key) }.result
        #expect(known?.rowSource.sourceTime == Timestamp.minute(3).milliseconds)
    }

    @Test("If the event service returns another cached quake for a missing one, the two are merged")
    func mergedQuakes() throws {
        var union = other
        union.ids = PublishedSet(members: ["ci49000301", "us7000zz01"])
        for stamp in [Timestamp.minute(1), .minute(-25)] {
            union.updated = stamp
            union.magnitude = 3.5
            let body = Document.event(union)
            let outcome = try ask { _ in .init(status: 200, body: body) }
            #expect(outcome.step.report.deleted == [.merged: 1])
            let context = outcome.replay.context
            let quakes = try context.fetch()
            #expect(quakes.map(\.quake.id) == ["ci49000301"] && quakes.first?.quake.magnitude == 3.5)
            #expect(try context.key(ofID: "us7000zz01") == quakes.first?.key)
            #expect(try quakes.first?.key == outcome.replay.changes(after: 0).map(\.quakeKey).min())
            #expect(outcome.unconfirmedIDs.isEmpty)
        }
    }

    @Test(
        "After an unusable event service response, the quake's absence stays unconfirmed",
        arguments: [
            (.init(status: 204), false), (.init(status: 404), false), (.init(status: 409, origin: "http://e/"), nil),
            (
                .init(status: 200, body: Document.event(.sample("us", "7000zz01")), origin: "http://elsewhere/query"),
                nil
            ),
            (.init(status: 500), true), (.init(status: 200, body: Data("<html></html>".utf8)), true),
            (.init(status: 200, body: Document.event(.sample("ci", "49000301"))), false),
            (.init(status: 0, failure: .redirectRefused(from: "https://service", to: "http://service")), true),
        ] as [(ScriptedTransport.Response, Bool?)])
    func unusableResponse(answer: ScriptedTransport.Response, isFault: Bool?) throws {
        let outcome = try ask { _ in answer }
        let report = outcome.step.report
        #expect(outcome.step.changes.isEmpty && report.missing == 1 && report.outcome == .applied)
        #expect(outcome.unconfirmedIDs == ["us7000zz01"])
        guard let isFault else { return }
        #expect((report.serviceError != nil) == isFault && report.asked == (isFault ? 0 : 1))
    }

    @Test("After the event service asks for a pause, no request is sent until the pause ends") func pause() throws {
        let transport = ScriptedTransport { _ in .init(status: 503, headers: ["retry-after": "600"]) }
        for minute in [Int64(0), 5, 10, 20] {
            let service = Self.service(transport, at: minute)
            let replay = try Replay(in: directory, settings: Self.once, service: service, now: .minute(minute))
            let quakes = minute == 0 ? [missing, other] : [other]
            let fault = try replay.apply(Document.feed("all_day", at: minute, quakes)).report.serviceError
            if minute > 0, case .tryLater(_, status: 503, _)? = fault { continue }
            #expect(fault == nil && minute == 0, "minute \(minute)")
        }
        // In minute 5 and, after ten minutes, in minute 20; not in minute 10.
        #expect(transport.addresses.count == 2)
    }

    @Test("A response of one event service does not end the pause that another one asked for") func pauseOfAnother()
        throws
    {
        let busy = ScriptedTransport { _ in .init(status: 503, headers: ["retry-after": "600"]) }
        let mirror = ScriptedTransport { _ in .init(status: 404) }
        let services = [
            (Int64(0), Self.service(busy, at: 0)), (5, Self.service(busy, at: 5)),
            (8, Self.service(mirror, at: 8, url: "https://mirror/query")), (11, Self.service(busy, at: 11)),
        ]
        for (minute, service) in services {
            let replay = try Replay(in: directory, settings: Self.once, service: service, now: .minute(minute))
            try replay.apply(Document.feed("all_day", at: minute, minute == 0 ? [missing, other] : [other]))
        }
        #expect(busy.addresses.count == 1 && mirror.addresses.count == 1)
    }

    @Test("The event service is asked about each missing quake in a separate request") func severalQuakes() throws {
        let others = [missing, .sample("nn", "00111", time: .minute(-40)), .sample("hv", "222", time: .minute(-20))]
        let alive = Document.event(others[2])
        let transport = ScriptedTransport { url in
            url.contains("eventid=hv222") ? .init(status: 200, body: alive) : .init(status: 409)
        }
        let replay = try Replay(in: directory, settings: Self.once, service: Self.service(transport), now: .minute(7))
        try replay.apply(Document.feed("all_day", at: 0, others + [other]))
        let step = try replay.apply(Document.day(at: 5, other))
        #expect(Set(transport.addresses) == Set(others.map { "https://service/query?eventid=\($0.id)&format=geojson" }))
        #expect(Set(step.changes.compactMap { $0.before?.id }) == ["us7000zz01", "nn00111"])
        #expect(step.report.deleted == [.retracted: 2] && step.report.asked == 3 && step.report.missing == 0)
        #expect(try replay.unconfirmedIDs().isEmpty)

        // The quake was deleted by mistake, and is listed again.
        let back = try replay.apply(Document.day(at: 9, other, missing))
        #expect(back.changes.map(\.reason) == [.restored])
        #expect(back.changes.first?.quakeKey == step.changes.first { $0.before?.id == "us7000zz01" }?.quakeKey)
    }

    @Test("A failing event service gets at most three requests per run, and no quake is deleted")
    func failingService() throws {
        let quakes = (0..<8).map { Quake.sample("nn", "0011\($0)") }
        let answers: [ScriptedTransport.Response] = [.init(status: 500), .init(status: 403), .init(status: 429)]
        for answer in answers {
            let transport = ScriptedTransport { _ in answer }
            let replay = try Replay(
                in: directory, settings: Self.once, name: "\(UUID()).db", service: Self.service(transport),
                now: .minute(7))
            try replay.apply(Document.feed("all_day", at: 0, quakes + [other]))
            let step = try replay.apply(Document.day(at: 5, other))
            #expect(transport.addresses.count == (answer.status == 429 ? 1 : 3), "\(answer.status)")
            #expect(step.changes.isEmpty && step.report.asked == 0 && step.report.serviceError != nil)
            #expect(
                try replay.context.sources.unconfirmedChanges().count(where: \.awaitsService) == 8, "\(answer.status)")
        }
    }

    @Test("If more than 50 quakes are missing, later runs ask about the rest even if requests fail")
    func everyQuakeIsRequested() throws {
        let quakes = (Int64(0)..<70).map { Quake.sample("nn", "\(100 + $0)", time: .minute($0 - 200)) }
        let transport = ScriptedTransport { url in
            .init(status: ["nn100&", "nn101&", "nn102&"].contains { url.contains($0) } ? 500 : 409)
        }
        for minute in Int64(0)...40 {
            let before = transport.addresses.count
            let replay = try Replay(
                in: directory, settings: Self.once, service: Self.service(transport), now: .minute(60))
            try replay.apply(Document.feed("all_day", at: minute, (minute == 0 ? quakes : []) + padding))
            #expect(transport.addresses.count - before <= 50)
            if try replay.context.fetchCount() == padding.count + 3 { return }
        }
        Issue.record("quakes are still waiting for their request")
    }

    /// So many quakes that the absence of seventy is not suspicious.
    private let padding = (0..<300).map { Quake.sample("ci", "\(400 + $0)") }

    @Test("After a 404, the event service is asked again only when new snapshots repeat the absence")
    func confirmedAgain() throws {
        let transport = ScriptedTransport { _ in .init(status: 404) }
        let replay = try Replay(
            in: directory, settings: MirrorSettings(confirmSnapshots: 3, confirmAfter: .zero),
            service: Self.service(transport), now: .minute(60))
        try replay.apply(Document.day(at: 0, missing, other))
        for minute in Int64(1)...12 { try replay.apply(Document.day(at: minute, other)) }
        // In minutes 3, 5, 7, …: the response counts as the first snapshot.
        #expect(transport.addresses.count == 5)
        #expect(try replay.unconfirmedIDs() == ["us7000zz01"])
    }

    @Test("The configured scope decides for which sources the event service is asked about deletions")
    func serviceScope() throws {
        let usgs = FeedSource.url(FeedEndpoint().url(for: FeedName(.all, .day)))
        let copy = FeedSource.url("https://example.org/all_day.geojson")
        let all: Set<ServiceScope> = [.everything, .downloads, .downloadsFromUSGS]
        let cases: [(source: FeedSource?, scopes: Set<ServiceScope>)] = [
            (usgs, all), (copy, [.everything, .downloads]), (nil, [.everything]),
        ]
        for (source, scopes) in cases {
            for scope in all {
                let body = Mutex(Document.day(at: 0, missing, other))
                let transport = ScriptedTransport { url in
                    url.contains("eventid") ? .init(status: 409) : .init(status: 200, body: body.withLock { $0 })
                }
                let replay = try Replay(
                    in: directory, settings: Self.once, name: "\(UUID()).db", transport: transport,
                    service: Self.service(transport), serviceScope: scope, now: .minute(7))
                for minute in [Int64(0), 5] {
                    if minute == 5 { body.withLock { $0 = Document.day(at: 5, other) } }
                    let path = try directory.write(body.withLock { $0 }, to: "feed.geojson")
                    _ = try replay.apply(source ?? .file(path))
                }
                #expect(transport.addresses.contains { $0.contains("eventid") } == scopes.contains(scope), "\(scope)")
                #expect(try replay.changes(after: 1).map(\.reason) == [.retracted], "\(scope)")
            }
        }
    }

    private static let once = MirrorSettings(confirmSnapshots: 1, confirmAfter: .zero)

    private static func service(
        _ transport: ScriptedTransport, at minute: Int64 = 7, url: String = "https://service/query"
    ) -> EventService {
        EventService(
            client: FeedClient(transport: transport, userAgent: "quakes/test", now: { .minute(minute) }),
            endpoint: EventEndpoint(base: url), pace: RequestPace(interval: .zero))
    }

    @Test("Another program can write to the cache while the event service is being asked")
    func outsideTransaction() throws {
        let path = directory.path("quakes.db")
        let transport = ScriptedTransport { _ in
            let store = QuakeCache(path: path, configuration: StoreConfiguration(busyTimeout: .zero))
            do {
                let context = try QuakeContext(store, author: "someone else")
                try context.write { try $0.insert(.sample("hv", "79000303"), reason: .edited) }
                return .init(status: 409)
            } catch {
                return .init(status: 500)
            }
        }
        let replay = try Replay(in: directory, settings: Self.once, service: Self.service(transport))
        try replay.apply(Document.day(at: 0, missing, other))
        let step = try replay.apply(Document.day(at: 5, other))
        #expect(step.report.serviceError == nil)
        #expect(step.changes.map(\.reason) == [.edited, .retracted])
    }

    @Test("The event service is not asked until feeds confirm an absence, and never in a dry run")
    func nothingToConfirm() throws {
        let outcome = try ask(settings: MirrorSettings()) { _ in .init(status: 409) }
        #expect(outcome.transport.addresses.isEmpty && outcome.step.changes.isEmpty)
        #expect(outcome.unconfirmedIDs == ["us7000zz01"])
        let transport = ScriptedTransport { _ in .init(status: 409) }
        let replay = try Replay(in: directory, settings: Self.once, service: Self.service(transport))
        try replay.apply(Document.day(at: 0, missing, other))
        #expect(try replay.rehearse(Document.day(at: 5, other)).missing == 1 && transport.addresses.isEmpty)
    }
}
