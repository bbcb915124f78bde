import Foundation
@testable import QuakeMirror
import QuakeTestSupport
import Synchronization
import Testing

@testable import QuakeStore

// Proves rule 10 of mirroring.md.
@Suite("The source time of a document is at most that of its response", .scratch) struct SourceTimeTests {
    /// A feed server with a clock of its own, and this machine's clock.
    private final class Server: Sendable {
        private struct State {
            var body = Data()
            var minute: Int64 = 0
            var clockError: Int64 = 0
        }

        private let state = Mutex(State())

        func serve(_ body: Data, at minute: Int64, clockError: Int64 = 0) {
            state.withLock { $0 = State(body: body, minute: minute, clockError: clockError) }
        }

        /// The response, whose date is right.
        var response: ScriptedTransport.Response {
            let state = state.withLock { $0 }
            return .init(
                status: 200, headers: ["date": Timestamp.minute(state.minute).httpDate], body: state.body)
        }

        var machineTime: Timestamp { state.withLock { .minute($0.minute + $0.clockError) } }
    }

    private let server: Server
    private let mirror: FeedMirror
    private let context: QuakeContext

    init() throws {
        let server = Server()
        self.server = server
        let transport = ScriptedTransport { _ in server.response }
        (mirror, context) = try FeedMirror.ofNewCache(in: .ofTest(), transport) { server.machineTime }
    }

    private func refresh(
        _ quake: Quake, at minute: Int64, dated generated: Int64, clockError: Int64 = 0
    ) throws -> RefreshReport {
        let body = Document.feed("all_day", at: generated, [quake])
        server.serve(body, at: minute, clockError: clockError)
        return try mirror.session { try $0.refresh(.allDay) }
    }

    private func quake(_ magnitude: Double, updated: Int64) -> Quake {
        .sample("us", "1", magnitude: magnitude, updated: .minute(updated), time: .minute(-30))
    }

    @Test("After a purge and an undo, a quake from a feed dated in the future still accepts revisions")
    func restoredByUndo() throws {
        _ = try refresh(quake(4.4, updated: -10), at: 0, dated: 660)
        _ = try context.maintenance.purge(QuakeFilter())
        _ = try context.undo(transaction: context.history.currentToken().number)
        #expect(try refresh(quake(6.8, updated: 4), at: 5, dated: 5).updated == [.revised: 1])
    }

    @Test("After a snapshot dated 11 hours ahead, a correctly dated snapshot still revises quakes")
    func feedDatedAhead() throws {
        _ = try refresh(quake(4.4, updated: -10), at: 0, dated: 660)
        #expect(try refresh(quake(6.8, updated: 4), at: 5, dated: 5).updated == [.revised: 1])
        #expect(try context.sources.feed(named: "all_day")?.generated == .minute(5))
    }

    @Test("Even with this machine's clock 12 hours off, each revision is applied immediately", arguments: [-720, 720])
    func wrongClock(minutes: Int64) throws {
        _ = try refresh(quake(4.0, updated: -10), at: 0, dated: 0)
        for step in 1...6 as ClosedRange<Int64> {
            // The clock is wrong for a while, and then right again.
            let error = step < 4 ? minutes : 0
            let revised = quake(4.0 + Double(step) / 10, updated: step * 5 - 1)
            let report = try refresh(revised, at: step * 5, dated: step * 5, clockError: error)
            #expect(report.updated == [.revised: 1], "step \(step)")
        }
    }

    @Test("A quake whose updated time lies 90 days in the future is still revised by later snapshots")
    func updatedAhead() throws {
        _ = try refresh(quake(4.4, updated: 90 * 1_440), at: 0, dated: 0)
        #expect(try refresh(quake(6.8, updated: 1), at: 2, dated: 2).updated == [.revised: 1])
        #expect(try context.fetch().map(\.quake.magnitude) == [6.8])
        // An older version is unconfirmed, as ever.
        #expect(try refresh(quake(5, updated: 0), at: 4, dated: 4).unconfirmed == 1)
    }

    @Test("After an older file without a URL, a snapshot older than the newest still changes no quake")
    func withoutSourceURL() throws {
        let replay = try Replay(in: .ofTest(), name: "other.db")
        func document(_ magnitude: Double, updated: Int64, at minute: Int64) -> Data {
            let feature = FeedText.feature(quake(magnitude, updated: updated))
            let generated = Timestamp.minute(minute).milliseconds
            return Data(
                #"{"type":"FeatureCollection","metadata":{"generated":\#(generated)},"features":[\#(feature)]}"#.utf8)
        }
        try replay.apply(document(5, updated: 9, at: 10))
        try replay.apply(document(5, updated: 9, at: 20))
        try replay.apply(document(5, updated: 9, at: 12))
        // Older than the second document, newer than the third.
        #expect(try replay.apply(document(6, updated: 14, at: 15)).changes.isEmpty)
        #expect(try replay.apply(document(6, updated: 21, at: 25)).changes.map(\.reason) == [.revised])
    }
}
