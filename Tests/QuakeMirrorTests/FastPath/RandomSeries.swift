import Foundation
import QuakeModel
import QuakeTestSupport

/// Documents of several feeds about a ``RandomWorld``, as servers that do not agree send them: some show an earlier world,
/// some lose quakes, some hold features that cannot be read.
struct RandomSeries {
    private var random: SplitMix64
    private var world: RandomWorld
    /// The world as it was, for servers that lag behind.
    private var past: [(minute: Int64, quakes: [Quake])] = []
    private var minute: Int64 = 0

    private static let feeds: [(name: String, hours: Int64, magnitude: Double)] = [
        ("all_hour", 1, -9), ("all_day", 24, -9), ("all_day", 24, -9), ("all_day", 24, -9), ("all_week", 168, -9),
        ("2.5_day", 24, 2.45),
    ]

    init(seed: UInt64, sharesIDs: Bool) {
        random = SplitMix64(state: seed)
        world = RandomWorld(sharesIDs: sharesIDs)
    }

    private mutating func happens(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    /// The next document.
    mutating func next() -> Data {
        minute += Int64.random(in: 1...20, using: &random)
        for _ in 0..<Int.random(in: 0...3, using: &random) { world.change(at: minute, &random) }
        past.append((minute, world.quakes))
        var shown = past[past.count - 1]
        if happens(25), let earlier = past.suffix(8).randomElement(using: &random) { shown = earlier }
        let feed = Self.feeds[Int.random(in: Self.feeds.indices, using: &random)]
        let generated = happens(50) ? shown.minute : minute
        let window = Timestamp.minute(generated - feed.hours * 60)...Timestamp.minute(generated)
        var quakes = shown.quakes.filter { window.contains($0.originTime) && ($0.magnitude ?? 0) >= feed.magnitude }
        quakes.sort { ($0.originTime, $0.id) > ($1.originTime, $1.id) }
        if happens(30) { quakes.shuffle(using: &random) }
        if happens(25) { quakes = quakes.filter { _ in !happens(15) } }
        if happens(3) { quakes = [] }
        var features = quakes.map { Document.feature($0) }
        if happens(10), !features.isEmpty { spoil(&features) }
        if happens(10) { respell(&features) }
        return Document.feed(
            feed.name, at: generated, features: features, count: happens(5) ? features.count + 1 : nil)
    }

    /// Makes one of the features unreadable.
    private mutating func spoil(_ features: inout [String]) {
        let index = Int.random(in: features.indices, using: &random)
        let feature = features[index]
        switch Int.random(in: 0..<4, using: &random) {
        case 0: features[index] = feature.replacing(#""time":"#, with: #""time":null,"was":"#)
        case 1: features[index] = feature.replacing(#""mag":"#, with: #""mag":"large","was":"#)
        case 2: features[index] = feature.replacing(#","id":""#, with: #","was":""#)
        default: features[index] = "null"
        }
    }

    /// Writes the same values in other bytes.
    private mutating func respell(_ features: inout [String]) {
        features = features.map { happens(50) ? $0.replacing(#","status""#, with: #", "status""#) : $0 }
    }
}
