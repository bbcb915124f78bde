import QuakeModel
import QuakeTestSupport

extension EventCatalog {
    /// Moves ids of a quake, or between two, at random, as networks and analysts do.
    ///
    /// - Parameter moment: the origin time of a quake that is split off for the first time.
    mutating func changeIDsAtRandom(at moment: Timestamp, _ random: inout SplitMix64) {
        let listed = quakes
        guard !listed.isEmpty else { return }
        let one = listed[random.next(listed.count)]
        let other = listed[random.next(listed.count)]
        switch random.next(8) {
        case 0: split(one.aliases[random.next(one.aliases.count)], off: one, at: moment)
        // A recoding within the network.
        case 1: rename(one.id, to: one.net, "8\(random.next(1 << 40))")
        case 2, 3: share(random.next(4) > 0 ? other.id : "at0\(random.next())", with: one)
        case 4: shareWithNeighbors(of: one)
        case 5: unshareAll()
        case 6: merge(other.id, into: one.id)
        default: splitLastAgain(touching: Touched.allCases[random.next(Touched.allCases.count)])
        }
    }

    /// Adds the id of `quake` to the quakes before and after it, which usually happened days apart.
    private mutating func shareWithNeighbors(of quake: Quake) {
        let listed = quakes
        guard let place = listed.firstIndex(where: { $0.id == quake.id }) else { return }
        for neighbor in [place - 1, place + 1] where listed.indices.contains(neighbor) {
            share(quake.id, with: listed[neighbor])
        }
    }

    /// Takes from all quakes the ids that are other quakes' own.
    private mutating func unshareAll() {
        for quake in quakes {
            for id in quake.aliases where id != quake.id && truth(ofID: id) != nil { unshare(id, from: quake) }
        }
    }

    private mutating func splitLastAgain(touching touched: Touched) {
        if let id = endedIDs.last { splitAgain(id, touching: touched) }
    }
}
