import Foundation
@testable import QuakeMirror
import QuakeTestSupport
import Synchronization
import Testing

import QuakeEditing
@testable import QuakeStore

// Proves rule 22 of mirroring.md.
@Suite("Deleted features", .scratch) struct DeletionTests {
    private let gone = Quake.sample("us", "100", time: .minute(-1440))
    private let other = Quake.sample("nc", "555", time: .minute(-1440))

    /// The service's responses after the first backfill.
    private struct Script {
        /// The features of the response, as JSON.
        var features: [String]
        /// The status for a single quake; with 200, the response is ``known`` or the quake itself.
        var single = 200
        var known: Quake?
        /// Whether the service returns ``known`` when it is queried again after the failure.
        var recovers = false
        /// The age of both quakes in days.
        var age: Int64 = 1
        /// Whether the same part is requested again, rather than its changes.
        var isAgain = false
        /// Whether the request about a single quake gets a response.
        var isAnswered: Bool { single != 500 && single != 403 }
        /// The number of quakes that the service counts.
        var count = 0
        /// The moment at which the response was made.
        var generated: Int64 = 60
    }

    private static func deleted(_ id: String, ids: String) -> String {
        let updated = Timestamp.minute(30).milliseconds
        let properties = #"{"status":"deleted","updated":\#(updated),"ids":"\#(ids)"}"#
        return #"{"type":"Feature","id":"\#(id)","geometry":null,"properties":\#(properties)}"#
    }

    /// Backfills both quakes, runs `meanwhile`, queries again, and returns the remaining and the requested ids.
    private func left(
        _ script: Script, filter: QuakeFilter = QuakeFilter(), meanwhile: (QuakeContext) throws -> Void = { _ in }
    ) throws -> (ids: [String], asked: [String]) {
        var (first, second) = (self.gone, self.other)
        (first.originTime, second.originTime) = (.minute(-1440 * script.age), .minute(-1440 * script.age))
        let (gone, other, since) = (first, second, Timestamp.minute(-1440 * (script.age + 2)))
        let (isFilled, isRecovered) = (Arc(false), Arc(false))
        let transport = ScriptedTransport { url in
            let isFilled = isFilled.value.withLock { $0 }
            if url.contains("/count?") {
                let count = isFilled ? script.count : 2
                return .init(status: 200, body: Data(#"{"count":\#(count),"maxAllowed":9}"#.utf8))
            }
            if url.contains("eventid=") {
                let status = isRecovered.value.withLock { $0 } ? 200 : script.single
                return .init(status: status, body: Document.event(script.known ?? other))
            }
            let body =
                isFilled
                ? Document.feed("catalog", at: script.generated, features: script.features)
                : Document.feed("catalog", at: 0, [gone, other])
            return .init(status: 200, body: body)
        }
        let (mirror, context) = try FeedMirror.ofNewCache(in: .ofTest(), transport, name: "\(UUID()).db") {
            .minute(isFilled.value.withLock { $0 } ? script.generated : 0)
        }
        try mirror.fetch(.quakes(QuakeFilter(since: since), again: false))
        #expect(try context.fetch().count == 2)
        isFilled.value.withLock { $0 = true }
        try meanwhile(context)
        var filter = filter
        filter.since = since
        if !script.isAnswered {
            #expect(throws: FeedError.self) { try mirror.fetch(.update) }
            // The next update requests the ids in question again.
            #expect(try context.sources.idsInQuestion().count > 0)
            isRecovered.value.withLock { $0 = script.recovers }
            if script.recovers { try mirror.fetch(.update) }
        } else {
            try mirror.fetch(script.isAgain ? .quakes(filter, again: true) : .update)
        }
        let asked = transport.addresses.filter { $0.contains("eventid=") }
            .map { String($0.drop { $0 != "=" }.dropFirst().prefix { $0 != "&" }) }
        return (try context.fetch().map(\.quake.id).sorted(), asked)
    }

    @Test("An update that finds a deleted quake requests each of the quake's other ids")
    func otherIDsInUpdate() throws {
        let feature = Self.deleted("us100", ids: ",us100,nc555,")
        let living = try left(Script(features: [feature]))
        #expect(living.ids == ["nc555"] && living.asked == ["nc555"])
        let deleted = try left(Script(features: [feature], single: 409))
        #expect(deleted.ids == [] && deleted.asked == ["nc555"])
        for status in [400, 403, 404, 500] {
            #expect(try left(Script(features: [feature], single: status)).ids == ["nc555"])
        }
    }

    @Test("If the request about one id fails, the other ids are still requested", arguments: [400, 413, 500])
    func unansweredRequest(status: Int) throws {
        let feature = Self.deleted("us1", ids: ",us1,us100,nc555,")
        let outcome = try left(Script(features: [feature], single: status))
        #expect(outcome.ids == ["nc555", "us100"] && outcome.asked.sorted() == ["nc555", "us100"])
    }

    @Test("A repeated backfill that finds a deleted quake requests each of the quake's other ids")
    func notDecidedByWindow() throws {
        let feature = Self.deleted("us100", ids: ",us100,nc555,")
        for filter in [QuakeFilter(), QuakeFilter(minimumMagnitude: 5)] {
            let living = try left(Script(features: [feature], isAgain: true), filter: filter)
            #expect(living.ids == ["nc555"] && living.asked == ["nc555"])
            let gone = try left(Script(features: [feature], single: 409, isAgain: true), filter: filter)
            #expect(gone.ids == [] && gone.asked == ["nc555"])
        }
    }

    @Test("If the service sends fewer quakes than it counted, a missing quake is not deleted")
    func incompleteResponse() throws {
        let feature = Self.deleted("us100", ids: ",us100,nc555,")
        let short = try left(Script(features: [feature], isAgain: true, count: 3))
        #expect(short.ids == ["nc555"] && short.asked.contains("nc555"))
    }

    @Test("If an update brings a new quake that shares an id with a cached quake, both are kept") func sharedID() throws
    {
        func sharing(_ quake: Quake) -> Quake {
            var quake = quake
            quake.ids = PublishedSet(members: [quake.id, "at00n3rz0w"])
            return quake
        }
        let companion = sharing(.sample("ci", "7", time: .minute(-30)))
        let ids = try left(Script(features: [FeedText.feature(companion)], count: 1)) { context in
            let stored = try #require(try context.quake(id: "nc555"))
            let editor = QuakeEditor(context)
            try editor.update(stored, to: sharing(stored.quake))
            try editor.save()
        }.ids
        #expect(ids == ["ci7", "nc555", "us100"])
    }

    @Test("An update keeps a quake that the response lists twice, once with status \"deleted\"") func alsoListed()
        throws
    {
        let features = [FeedText.feature(gone), Self.deleted("us100", ids: ",us100,")]
        #expect(try left(Script(features: features)).ids == ["nc555", "us100"])
    }

    @Test("An update does not delete a quake that a snapshot newer than the deletion lists")
    func olderDeletion() throws {
        let feature = Self.deleted("us100", ids: ",us100,")
        func confirm(at minute: Int64) -> (QuakeContext) throws -> Void {
            { context in
                try context.write { writer in
                    let stored = try #require(try context.quake(id: "us100"))
                    try writer.confirm(stored.key, RowSource(sourceTime: Timestamp.minute(minute).milliseconds))
                }
            }
        }
        let script = Script(features: [feature], known: gone)
        let later = try left(script, meanwhile: confirm(at: 31))
        #expect(later.ids == ["nc555", "us100"] && later.asked == ["us100"])
        let earlier = try left(script, meanwhile: confirm(at: 29))
        #expect(earlier.ids == ["nc555"] && earlier.asked == [])
    }

    @Test("A feature with status \"deleted\" in a feed deletes only the quake with the feature's own id")
    func deletedInDocument() throws {
        let replay = try Replay(in: .ofTest())
        var feature = gone
        feature.ids = PublishedSet(members: ["us100", "nc555"])
        let text = FeedText.feature(feature).replacing(#""status":"automatic""#, with: #""status":"deleted""#)
        let first = try replay.apply(Document.feed("query", at: 0, features: [text]))
        #expect(first.changes.isEmpty && first.report.skipped.isEmpty)
        try replay.apply(Document.feed("all_month", at: 1, [gone, other]))
        #expect(try replay.apply(Document.feed("query", at: 0, features: [text])).changes.isEmpty)
        let step = try replay.apply(Document.feed("all_month", at: 5, features: [text, FeedText.feature(other)]))
        #expect(step.changes.map(\.reason) == [.retracted] && step.report.missing == 0)
        #expect(try replay.context.fetch().map(\.quake.id) == ["nc555"])
    }
}
