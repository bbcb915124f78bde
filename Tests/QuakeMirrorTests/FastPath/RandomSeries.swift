import Foundation
import QuakeModel
import QuakeTestSupport

/// Documents of several feeds about a ``RandomWorld`` from servers that disagree: some show an earlier world, some lose
/// quakes, some have unreadable features.
struct RandomSeries {
    private var random: SplitMix64
    private(set) var world: RandomWorld
    /// Earlier states of the world, for servers that lag.
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
        if happens(40) { nameAnew(&quakes) }
        if happens(3) { quakes = [] }
        var features = quakes.map { FeedText.feature($0) }
        if happens(10), !features.isEmpty { spoil(&features) }
        if happens(10) { respell(&features) }
        return Document.feed(feed.name, at: generated, features: features, count: happens(5) ? features.count + 1 : nil)
    }

    /// Gives some quakes the place names of other servers.
    private mutating func nameAnew(_ quakes: inout [Quake]) {
        let name = happens(80) ? "Nowhere region, California" : "Somewhere"
        for index in quakes.indices where happens(30) { quakes[index].place = name }
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

    /// Writes the same values in different bytes.
    private mutating func respell(_ features: inout [String]) {
        features = features.map { happens(50) ? $0.replacing(#","status""#, with: #", "status""#) : $0 }
    }
}

/// Quakes of an invented network of agencies, and their changes over time: every case in the mirror's rules happens
/// often to some of them.
struct RandomWorld {
    private(set) var quakes: [Quake] = []
    private var vanished: [Quake] = []
    private var serial = 0
    /// Whether two quakes can merge, and two quakes can list the same id.
    private let sharesIDs: Bool

    private static let networks = ["us", "ci", "nn", "pr", "ak"]

    init(sharesIDs: Bool) {
        self.sharesIDs = sharesIDs
    }

    /// Makes something happen at `minute`.
    mutating func change(at minute: Int64, _ random: inout SplitMix64) {
        guard quakes.count > 12 else { return happen(at: minute, &random) }
        let index = Int.random(in: quakes.indices, using: &random)
        let now = Timestamp.minute(minute)
        switch Int.random(in: 0..<15, using: &random) {
        case 0...2: happen(at: minute, &random)
        case 3...4:
            quakes[index].magnitude = Double(Int.random(in: 5...60, using: &random)) / 10
            quakes[index].updated = now
        case 5: quakes[index].magnitude = Double(Int.random(in: 5...60, using: &random)) / 10
        case 6: quakes[index].updated = now
        case 7: quakes[index].updated = quakes[index].updated - .seconds(600)
        case 8: list(newID(of: quakes[index], &random), with: index)
        case 9: rename(index, at: now, &random)
        case 10: if sharesIDs { merge(index, at: now, &random) }
        case 11: split(index, at: now, &random)
        case 12: vanished.append(quakes.remove(at: index))
        case 13:
            quakes[index].hypocenter.longitude += 0.125
            quakes[index].place = Bool.random(using: &random) ? "Nowhere region, California" : nil
        default:
            guard !vanished.isEmpty else { return }
            quakes.append(vanished.remove(at: Int.random(in: vanished.indices, using: &random)))
        }
    }

    private mutating func happen(at minute: Int64, _ random: inout SplitMix64) {
        serial += 1
        let age = Int64.random(in: 0...(Bool.random(using: &random) ? 90 : 9000), using: &random)
        quakes.append(
            .sample(
                Self.networks[Int.random(in: 0..<Self.networks.count, using: &random)], "\(7000 + serial)",
                magnitude: Double(Int.random(in: 5...60, using: &random)) / 10, updated: .minute(minute),
                time: .minute(minute - age)))
    }

    private mutating func newID(of quake: Quake, _ random: inout SplitMix64) -> String {
        serial += 1
        let others = Self.networks.filter { $0 != quake.net }
        return others[Int.random(in: others.indices, using: &random)] + "\(7000 + serial)"
    }

    private mutating func list(_ id: String, with index: Int) {
        quakes[index].ids = PublishedSet(members: quakes[index].ids.members + [id])
    }

    /// Makes another of its ids preferred, which belongs to the same network or to another one.
    private mutating func rename(_ index: Int, at now: Timestamp, _ random: inout SplitMix64) {
        let others = quakes[index].ids.members.filter { id in
            id != quakes[index].id && !quakes.contains { $0.id == id }
        }
        let id = others.randomElement(using: &random) ?? newID(of: quakes[index], &random)
        list(id, with: index)
        quakes[index].net = String(id.prefix(2))
        quakes[index].code = String(id.dropFirst(2))
        quakes[index].updated = now
    }

    private mutating func merge(_ index: Int, at now: Timestamp, _ random: inout SplitMix64) {
        let other = Int.random(in: quakes.indices, using: &random)
        guard other != index, quakes[other].net != quakes[index].net else { return }
        for id in quakes[other].ids.members { list(id, with: index) }
        quakes[index].updated = now
        quakes.remove(at: other)
    }

    /// Lists one of its other ids as a separate quake; agencies do not always remove it from the list of ids.
    private mutating func split(_ index: Int, at now: Timestamp, _ random: inout SplitMix64) {
        let holder = quakes[index]
        let ids = holder.ids.members.filter { id in id != holder.id && !quakes.contains { $0.id == id } }
        guard let id = ids.randomElement(using: &random) else { return }
        if !sharesIDs || Bool.random(using: &random) {
            quakes[index].ids = PublishedSet(members: holder.ids.members.filter { $0 != id })
            quakes[index].updated = now
        }
        quakes.append(
            .sample(
                String(id.prefix(2)), String(id.dropFirst(2)), magnitude: holder.magnitude ?? 1, updated: now,
                time: holder.originTime))
    }
}
