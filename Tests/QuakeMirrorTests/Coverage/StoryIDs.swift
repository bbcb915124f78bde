import QuakeModel
import QuakeTestSupport

extension EventCatalog {
    /// Moves ids of a quake, or between two, at random, as networks and analysts do.
    ///
    /// - Parameter moment: the origin time of a quake that is split off for the first time.
    /// - Returns: a description.
    @discardableResult
    mutating func changeIDsAtRandom(at moment: Timestamp, _ random: inout SplitMix64) -> String {
        let listed = quakes
        guard !listed.isEmpty else { return "no ids" }
        let one = listed[random.next(listed.count)]
        let other = listed[random.next(listed.count)]
        switch random.next(8) {
        case 0:
            let id = one.aliases[random.next(one.aliases.count)]
            split(id, off: one, at: moment)
            return "\(id) is split off \(one.id)"
        case 1:
            rename(one.id, to: one.net, "8\(numbers.count)\(random.next(1 << 40))")
            return "\(one.id) is recoded"
        case 2, 3:
            let id = random.next(4) > 0 ? other.id : "at0\(random.next())"
            share(id, with: one)
            return "\(one.id) gets the id \(id)"
        case 4:
            shareWithNeighbors(of: one)
            return "the neighbors of \(one.id) get its id"
        case 5:
            unshareAll()
            return "all lose the ids of others"
        case 6:
            merge(other.id, into: one.id)
            return "\(other.id) is merged into \(one.id)"
        default:
            guard let id = endedIDs.last else { return "no ids" }
            let touched = Touched.allCases[random.next(Touched.allCases.count)]
            splitAgain(id, touching: touched)
            return "\(id) is split again, updating \(touched)"
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
}
