import Foundation
@testable import QuakeMirror
import QuakeTestSupport
import Testing

@Suite("The order of changes within a snapshot", .scratch) struct ChangeOrderTests {
    private let replay: Replay

    init() throws { replay = try Replay(in: .ofTest()) }

    /// A day's quakes at these minutes, in this order.
    private func feed(at minute: Int64, _ minutes: [Int64], magnitude: Double = 2) -> Data {
        let quakes = minutes.map { Quake.sample("us", "\(5000 - $0)", magnitude: magnitude, time: .minute($0)) }
        return Document.feed("all_day", at: minute, quakes)
    }

    private func times(_ step: Replay.Step) -> [Timestamp] { step.changes.compactMap { $0.after?.originTime } }

    @Test(
        "The changes of a snapshot begin with the oldest quake, whether it lists that one last or first",
        arguments: [3, 700], [true, false])
    func oldestFirst(count: Int, listsNewestFirst: Bool) throws {
        let minutes = (1...Int64(count)).map { -$0 }
        let listed = listsNewestFirst ? minutes : minutes.reversed()
        let sorted = minutes.reversed().map { Timestamp.minute($0) }
        let first = try replay.apply(feed(at: 0, listed))
        #expect(times(first) == sorted)
        #expect(first.changes.map(\.quakeKey) == (1...Int64(count)).map(QuakeKey.init(_:)))
        let revised = try replay.apply(feed(at: 1, listsNewestFirst ? [0] + listed : listed + [0], magnitude: 3))
        #expect(times(revised) == sorted + [.minute(0)])
        #expect(Set(revised.changes.map(\.reason)) == [.revised, .new])
    }

    @Test("Unreadable features of a snapshot are reported in document order") func unreadableFeatures() throws {
        let good = [-1, -2, -3].map { FeatureText.good(at: $0) }
        let bad = ["a", "b"].map { #"{"type":"Feature","id":"us\#($0)","properties":{},"geometry":null}"# }
        let features = [good[0], bad[0], good[1], bad[1], good[2]]
        let report = try replay.apply(Document.feed("all_day", at: 0, features: features)).report
        #expect(report.skipped.map(\.position) == [2, 4])
    }

    @Test("Of two features with the same id, one counts, and the other is reported") func repeatedID() throws {
        let features = [FeatureText.good(at: -1), FeatureText.good(at: -2), FeatureText.good(at: -2)]
        let step = try replay.apply(Document.feed("all_day", at: 0, features: features))
        #expect(times(step) == [.minute(-2), .minute(-1)])
        #expect(step.report.skipped.map(\.isRepeated) == [true])
    }
}

private enum FeatureText {
    static func good(at minute: Int64) -> String {
        FeedText.feature(Quake.sample("us", "\(5000 - minute)", time: .minute(minute)))
    }
}
