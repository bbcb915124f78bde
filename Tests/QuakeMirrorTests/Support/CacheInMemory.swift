import QuakeModel
import QuakeStore

@testable import QuakeMirror

/// The cache as the rules see it, without a store.
struct CacheInMemory: CacheView {
    var quakes: [Int64: KnownQuake] = [:]
    var aliases: [String: AliasTarget] = [:]
    /// Quakes that a newer snapshot of another feed confirmed.
    var confirmedByOthers: [Int64: Timestamp] = [:]

    /// A cache that holds `quakes` under the keys 1, 2, 3, … and finds them by all their ids; of an id that several
    /// name, the first keeps it.
    init(_ quakes: Quake..., confirmed: Timestamp = .minute(0)) {
        for (offset, quake) in quakes.enumerated() {
            let key = Int64(offset + 1)
            self.quakes[key] = KnownQuake(
                stored: StoredQuake(key: key, quake: quake),
                rowSource: RowSource(hash: 1, generated: confirmed.milliseconds))
            for alias in quake.aliases where aliases[alias.lowercased()] == nil {
                aliases[alias.lowercased()] = .live(key: key)
            }
        }
    }

    func target(ofID id: String) -> AliasTarget? { aliases[id.lowercased()] }

    func knownQuake(_ key: Int64) -> KnownQuake? { quakes[key] }

    func confirmedUntil(_ known: KnownQuake) -> Timestamp {
        max(Timestamp(milliseconds: known.rowSource.generated), confirmedByOthers[known.stored.key] ?? .minute(0))
    }
}

extension Timestamp {
    /// So many minutes after the moment at which the tests' caches were last confirmed.
    static func minute(_ minutes: Int64) -> Timestamp {
        Timestamp(milliseconds: 1_773_489_600_000) + .seconds(minutes * 60)
    }
}

extension Quake {
    /// A quake of `net` and `code`, which happened half an hour before minute 0 unless said otherwise.
    static func sample(
        _ net: String, _ code: String, ids: [String] = [], magnitude: Double = 2, updated: Timestamp = .minute(-20),
        time: Timestamp = .minute(-30)
    ) -> Quake {
        var quake = Quake(
            net: net, code: code, originTime: time, updated: updated,
            hypocenter: Hypocenter(longitude: -120, latitude: 37, depthKilometers: 5))
        quake.magnitude = magnitude
        if !ids.isEmpty { quake.ids = PublishedSet(members: ids) }
        return quake
    }
}

extension SnapshotFacts {
    /// What a day's complete feed says, generated at `minute`, that lists quakes of these ids.
    static func day(at minute: Int64, listing ids: String..., countsAbsences: Bool = true) -> SnapshotFacts {
        let generated = Timestamp.minute(minute)
        return SnapshotFacts(
            generated: generated, window: generated - .seconds(86_400)...generated, countsAbsences: countsAbsences,
            coveredBefore: [.minute(-1440)...Timestamp.minute(0)], listedIDs: ListedIDs { Set(ids) })
    }
}
