import Foundation
import QuakeFeed
import QuakeModel
import QuakeStore
import QuakeTestSupport
import Testing

@testable import QuakeMirror

@Suite("What a mirror remembers of its feeds")
struct MirrorTests {
    private let day = FeedSource.summary(FeedName(.all, .day))

    /// A mirror at minute 5 whose server gives `answer`.
    private func mirror(
        in directory: ScratchDirectory, _ answer: ScriptedTransport.Answer, at minute: Int64 = 5
    ) throws -> (replay: Replay, transport: ScriptedTransport) {
        let transport = ScriptedTransport { _ in answer }
        return (try Replay(in: directory, transport: transport, now: .minute(minute)), transport)
    }

    @Test("A source that asks to be left alone has not answered well, and is not asked again until then")
    func tryLater() throws {
        try withScratchDirectory { directory in
            let (replay, transport) = try mirror(in: directory, .init(status: 429, headers: ["retry-after": "60"]))
            for _ in 0..<2 {
                #expect(throws: FeedError.tryLater(.minute(6), status: 429, host: "earthquake.usgs.gov")) {
                    try replay.mirror.refresh(day)
                }
            }
            #expect(transport.addresses.count == 1)
            let record = try #require(try replay.context.feed(named: "all_day"))
            #expect(record.notBefore == .minute(6) && record.checked == nil && record.applied == nil)
        }
    }

    @Test("A failure is remembered until the next success, which says when and of which moment")
    func failureAndSuccess() throws {
        try withScratchDirectory { directory in
            let (failing, _) = try mirror(in: directory, .init(status: 500))
            #expect(throws: FeedError.self) { try failing.mirror.refresh(day) }
            try failing.mirror.noteFailure(of: day, reason: "It failed.")
            #expect(try failing.context.feed(named: "all_day")?.error == "It failed.")
            let body = Document.day(at: 8, .sample("us", "7000zz01"))
            let (working, _) = try mirror(in: directory, .init(status: 200, body: body), at: 9)
            #expect(try working.mirror.refresh(day).inserted == [.new: 1])
            let record = try #require(try working.context.feed(named: "all_day"))
            #expect(record.error == nil && record.checked == .minute(9) && record.generated == .minute(8))
            #expect(record.featureCount == 1)
        }
    }

    @Test("A refused document leaves history, feeds and doubts as they were")
    func refusal() throws {
        try withScratchDirectory { directory in
            let replay = try Replay(in: directory)
            _ = try replay.apply(
                try directory.write(
                    Document.day(at: 0, .sample("us", "7000zz01"), .sample("ci", "49000301")), to: "1"))
            _ = try replay.apply(try directory.write(Document.day(at: 5, .sample("us", "7000zz01")), to: "2"))
            let before = (try replay.context.head(), try replay.context.feeds(), try replay.context.doubts())
            let epoch = Quake.sample("us", "7000zz01", time: Timestamp(milliseconds: 0))
            let path = try directory.write(Document.day(at: 10, epoch), to: "3")
            #expect(throws: FeedError.self) { try replay.apply(path) }
            let after = (try replay.context.head(), try replay.context.feeds(), try replay.context.doubts())
            #expect(before.0 == after.0 && before.1 == after.1 && before.2 == after.2 && before.2.count == 1)
        }
    }
}
