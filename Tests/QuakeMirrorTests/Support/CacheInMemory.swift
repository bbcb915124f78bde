import QuakeTestSupport

@testable import QuakeMirror

/// The cache as the rules see it, without a store.
struct CacheInMemory: CacheView {
    var quakes: [QuakeKey: KnownQuake] = [:]
    var aliases: [String: AliasTarget] = [:]
    var tombstones: [QuakeKey: Quake] = [:]
    /// Quakes that a newer snapshot of another feed confirmed.
    var confirmedByOthers: [QuakeKey: Timestamp] = [:]
    /// Ids, in lowercase, about which an answer of the event service settled nothing.
    var unsettledIDs: Set<String> = []

    /// A cache that contains `quakes` under the keys 1, 2, 3, … and finds them by all their ids. An id shared by
    /// several quakes leads to the first.
    init(_ quakes: Quake..., confirmed: Timestamp = .minute(0)) {
        self.init(quakes, confirmed: confirmed)
    }

    init(_ quakes: [Quake], confirmed: Timestamp = .minute(0)) {
        for (offset, quake) in quakes.enumerated() {
            let key = QuakeKey(Int64(offset + 1))
            self.quakes[key] = KnownQuake(
                stored: StoredQuake(key: key, quake: quake),
                rowSource: RowSource(hash: 1, sourceTime: confirmed.milliseconds))
            for alias in quake.aliases where aliases[alias.lowercased()] == nil {
                aliases[alias.lowercased()] = .live(key: key)
            }
        }
    }

    /// A cache that contains `count` quakes under the keys from 0 on.
    init(count: Int) {
        for number in 0..<count {
            let key = QuakeKey(Int64(number))
            quakes[key] = KnownQuake(
                stored: StoredQuake(key: key, quake: .sample("us", "\(number)")),
                rowSource: RowSource(sourceTime: Timestamp.minute(0).milliseconds))
        }
    }

    func target(ofID id: String) -> AliasTarget? { aliases[id.lowercased()] }

    func knownQuake(_ key: QuakeKey) -> KnownQuake? { quakes[key] }

    func tombstone(of key: QuakeKey) -> Quake? { tombstones[key] }

    func isUnsettled(_ id: String) -> Bool { unsettledIDs.contains(id.lowercased()) }

    func confirmedUntil(_ known: KnownQuake) -> Timestamp {
        let own = Timestamp(milliseconds: known.rowSource.sourceTime)
        return max(own, confirmedByOthers[known.stored.key] ?? own)
    }
}

extension SnapshotFacts {
    /// The facts of a complete daily feed, generated at `minute`, that lists quakes with these ids.
    static func day(at minute: Int64, listing ids: String..., countsAbsences: Bool = true) -> SnapshotFacts {
        let generated = Timestamp.minute(minute)
        return SnapshotFacts(
            sourceTime: generated, window: generated - .seconds(86_400)...generated, countsAbsences: countsAbsences,
            coveredBefore: [.minute(-1440)...Timestamp.minute(0)], listing: DocumentListing { Set(ids) })
    }
}
