import Foundation
import QuakeMirror
import QuakeTestSupport
import Synchronization
import Testing

@Suite("Requests to the event service about one quake") struct EventServiceTests {
    /// A client of a server that gives each request this answer, by default that it has no quakes.
    private func client(_ answer: ScriptedTransport.Response = .init(status: 204)) -> FeedClient {
        FeedClient(transport: ScriptedTransport { _ in answer }, userAgent: "quakes/test", now: { .now })
    }

    @Test("One run's event service requests are at least a second apart, and their number is limited") func pace()
        throws
    {
        // A clock that advances only by pauses and by 300 milliseconds per request.
        let start = ContinuousClock.now
        let elapsed = Mutex(Duration.zero)
        let pauses = Mutex<[Duration]>([])
        let pace = RequestPace(
            limit: 3, now: { start + elapsed.withLock { $0 } },
            pause: { duration in
                pauses.withLock { $0.append(duration) }
                // A signal ends the pause a little early.
                elapsed.withLock { $0 += duration - min(duration / 2, .milliseconds(100)) }
                return true
            })
        let service = EventService(client: client(), pace: pace)
        var moments: [Duration] = []
        for _ in 0..<3 {
            #expect(try service.ask(about: "us7000zz01")?.answer == .unsettled)
            moments.append(elapsed.withLock { $0 })
            elapsed.withLock { $0 += .milliseconds(300) }
        }
        #expect(try service.ask(about: "us7000zz01") == nil)
        #expect(zip(moments, moments.dropFirst()).allSatisfy { $1 - $0 >= .seconds(1) })
        #expect(pauses.withLock { $0.first } == .milliseconds(700))
    }

    @Test("By default, one run sends the event service at most 50 requests about single quakes") func defaultLimit()
        throws
    {
        let service = EventService(client: client(), pace: RequestPace(interval: .zero))
        for _ in 0..<50 { #expect(try service.ask(about: "us7000zz01") != nil) }
        #expect(try service.ask(about: "us7000zz01") == nil)
    }

    // Proves rule 9 of mirroring.md.
    @Test("A response of the event service that does not list the requested id is rejected")
    func anotherQuake() throws {
        let body = Document.event(.sample("ci", "7", ids: ["ci7", "us7000zz01"]))
        let service = EventService(client: client(.init(status: 200, body: body)), pace: RequestPace(interval: .zero))
        for id in ["CI7", "US7000ZZ01"] { #expect(try service.ask(about: id) != nil) }
        let error = #expect(throws: FeedError.self) { try service.ask(about: "us7000zz0") }
        #expect(error?.words.contains("us7000zz0 was requested, but this is about ci7, us7000zz01.") == true)
    }

    @Test("In a request to the event service, the quake's id is percent-encoded") func encodedID() {
        let endpoint = EventEndpoint(base: "https://example.org/query")
        #expect(endpoint.url(forID: "us7000zz01") == "https://example.org/query?eventid=us7000zz01&format=geojson")
        #expect(
            endpoint.url(forID: "a&b=c\nå")
                == "https://example.org/query?eventid=a%26b%3Dc%0A%C3%A5&format=geojson")
        #expect(EventEndpoint(base: "https://e/q?x=1").url(forID: "u1") == "https://e/q?x=1&eventid=u1&format=geojson")
    }

    @Test(
        "An event service response that is not a complete GeoJSON Feature is rejected",
        arguments: ["", "[]", "{}", "<html>", #"{"type":"FeatureCollection"}"#, #"{"type":"Feature"}"#])
    func notAFeature(body: String) {
        #expect(throws: DocumentError.self) { try EventDocument(Data(body.utf8)) }
    }

    @Test(
        "USGS detail documents are read as quakes, and their products are not kept", .needsRealData,
        arguments: ["us10004u1y", "nn00536452"])
    func publishedDetails(id: String) throws {
        let quake = try EventDocument(RealData.data("detail/\(id).geojson")).quake
        #expect(quake.id == id && quake.magnitude != nil && quake.extra == nil)
    }
}
