public import QuakeModel

extension EventCatalog {
    /// Makes `count` random changes to its quakes of `originTimes`: revisions, renames, merges, deletions, returns and
    /// new quakes.
    public mutating func changeAtRandom(
        _ count: Int, in originTimes: ClosedRange<Timestamp>, _ random: inout SplitMix64
    ) {
        for _ in 0..<count {
            let ids = quakes.map(\.id)
            guard !ids.isEmpty else { return }
            let id = ids[random.next(ids.count)]
            switch random.next(12) {
            case 0: delete(id)
            case 1: if let gone = deletedIDs.sorted().first { restore(gone) }
            case 2: renameAtRandom(id, &random)
            case 3: mergeAtRandom(ids[random.next(ids.count)], into: id)
            case 4: insertInvented(1, in: originTimes, seed: random.next(), updated: now)
            case 5: revise(id) { $0.originTime = $0.originTime + .milliseconds(Int64(random.next(4_000)) - 2_000) }
            case 6: revise(id) { $0.magnitude = nil }
            default:
                let shift = Double(random.next(2_000) - 1_000) / 10_000
                revise(id) { quake in
                    quake.magnitude = (((quake.magnitude ?? 1) + 0.3) * 100).rounded() / 100
                    quake.hypocenter.depthKilometers = 10 + shift
                    quake.place = "\(abs(Int(shift * 900))) km S of Elsewhere"
                    quake.status = "reviewed"
                }
            }
        }
    }
}

extension EventCatalog {
    /// Makes another network preferred. A network has only one id for a quake.
    private mutating func renameAtRandom(_ id: String, _ random: inout SplitMix64) {
        guard let sources = quake(id)?.sources.members,
            let net = ["pr", "uw", "se", "ok", "mb"].first(where: { !sources.contains($0) })
        else { return }
        rename(id, to: net, "9\(events.count)\(places.count)\(random.next(1 << 40))")
    }

    /// Merges two quakes that have no network in common.
    private mutating func mergeAtRandom(_ other: String, into id: String) {
        guard let first = quake(id), let second = quake(other),
            Set(first.sources.members).isDisjoint(with: second.sources.members)
        else { return }
        merge(other, into: id)
    }
}
