import QuakeTestSupport
import Synchronization

@testable import QuakeMirror
@testable import QuakeStore

// Conditions that must hold after every act of a story, and at its end.

extension CoverageStory {
    private typealias States = ArraySlice<StoryService.State>

    /// Compares every covered range with the service's data as of the covered range.
    func compare() throws {
        let context = try context()
        let (states, misinformed) = service.value.withLock { ($0.states, $0.misinformed) }
        try noteUnseenSplits(context)
        let excepted = try Set(context.sources.idsInQuestion().map { $0.id.lowercased() }).union(misinformed)
            .union(unseenSplits)
        for range in try context.sources.coveredRanges() {
            compared += 1
            let index = states.lastIndex { $0.since <= range.asOf } ?? 0
            // The service reports moments in whole seconds.
            let sameSecond = states[index...].prefix { $0.since < range.asOf + .seconds(1) }
            for quake in states[index].quakes where range.contains(quake) && !quake.isAny(of: excepted) {
                if range.source == .feed, !lostByFeeds.isDisjoint(with: quake.aliases) { continue }
                let names = names(of: quake, in: states[index...])
                if names.contains(where: { excepted.contains($0.lowercased()) }) { continue }
                // A rename may have been undone by hand.
                let former = try quake.aliases.compactMap { try context.quake(id: $0) }.filter { isEdited($0.key) }
                let held = try (names.compactMap { try context.quake(id: $0) } + former)
                    .first { !$0.quake.isAnother(than: quake, in: states[index]) }
                if let held {
                    // In the same second, the quake may have been revised out of the covered range.
                    guard sameSecond.allSatisfy({ $0.quakes.contains { $0.id == quake.id && range.contains($0) } })
                    else { continue }
                    let told = sameSecond.map { state in state.quakes.first { $0.id == quake.id }?.updated }
                    guard !isEdited(held.key), told.allSatisfy({ held.quake.updated < $0 ?? held.quake.updated })
                    else { continue }
                    note("\(quake.id) is older than the coverage \(range.words)")
                } else if isStillThere(quake, in: states[index...], range) {
                    note("\(quake.id) of \(quake.originTime.iso8601) is missing from \(range.words)")
                }
            }
        }
        guard off == nil else { return }
        try checkInvariants(context)
        try informConsumer()
    }

    /// Adds to ``unseenSplits`` the quakes that were split off without a new `updated` from quakes that no update
    /// fetches, because they are not covered. No response tells of such a split.
    private func noteUnseenSplits(_ context: QuakeContext) throws {
        let splits = service.value.withLock { $0.service.catalog.silentSplits }
        let covered = try context.sources.coveredRanges().filter { $0.source == .backfill }
        for (id, kept) in splits {
            let kept = try context.quake(id: kept)?.quake
            if kept.map({ kept in covered.contains { $0.contains(kept) } }) != true {
                unseenSplits.insert(id.lowercased())
            }
        }
    }

    /// The quake's preferred ids since then: a replica may have assigned an earlier one to another quake.
    private func names(of quake: Quake, in states: States) -> [String] {
        let known = states.flatMap { $0.listings[quake.id.lowercased()] ?? [] }
        return [quake.id] + known.filter { !$0.isSameID(as: quake.id) }.reversed()
    }

    /// Whether the service has neither deleted the quake since nor moved it, either out of the covered range or from
    /// one of its windows into another that had already been read.
    private func isStillThere(_ quake: Quake, in states: States, _ range: CoveredRange) -> Bool {
        states.allSatisfy { state in
            state.quakes.contains { later in
                later.hasID(quake.id) && later.originTime == quake.originTime && range.contains(later)
            }
        }
    }

    private func checkInvariants(_ context: QuakeContext) throws {
        let coverage = try context.sources.coverage()
        for range in coverage.coveredRanges where range.source == .backfill && range.asOf < range.originTimes.upperBound
        {
            note("\(range.words) is as of a moment before its end")
        }
        for stored in try context.fetch() where try context.key(ofID: stored.quake.id) != stored.key {
            note("\(stored.quake.id) does not lead to the quake that has it")
        }
        // With a slow clock, an earlier covered range would be about the future.
        guard service.value.withLock({ $0.skew }) >= .zero else { return }
        let findings = try context.maintenance.verify().findings
        if !findings.isEmpty { note("verify: \(findings)") }
    }

    /// Compares the backfills' covered ranges with a service that is honest and quiet and has sent an update.
    func compareAtPeace() throws {
        let context = try context()
        let (listed, deleted, now, misinformed) = service.value.withLock {
            ($0.service.catalog.quakes, $0.service.catalog.deletedIDs, $0.now, $0.misinformed)
        }
        let unseen = misinformed.union(unseenSplits)
        let kept = try context.sources.coveredRanges().filter { $0.source == .backfill }
        for range in kept where range.asOf < now - .seconds(1) { note("\(range.words) was not updated") }
        for idInQuestion in try context.sources.idsInQuestion() { note("it is still unknown: \(idInQuestion)") }
        for part in try context.sources.coverage().missing(until: now - .seconds(2)) {
            note("a backfill still lacks \(part.words)")
        }
        for quake in listed where kept.contains(where: { $0.contains(quake) }) && !quake.isAny(of: unseen) {
            guard let held = try context.quake(id: quake.id), held.quake.id == quake.id else {
                note("\(quake.id) is missing")
                continue
            }
            if !isEdited(held.key), held.quake.isOlder(than: quake) { note("\(quake.id) is not what the service has") }
        }
        for stored in try context.fetch() where kept.contains(where: { $0.contains(stored.quake) }) {
            let id = stored.quake.id
            guard !isEdited(stored.key), !stored.quake.isAny(of: misinformed) else { continue }
            let holder = listed.first { $0.id == id } ?? listed.first { !deleted.contains(id) && $0.hasID(id) }
            // No response lists a quake that the service moved out of the requested part.
            if let holder, holder.id == id || !kept.contains(where: { $0.contains(holder) }) { continue }
            note("\(id) is \(holder.map { "now \($0.id)" } ?? "no longer there")")
        }
        try checkNoneIsHeldTwice(kept, excepting: misinformed)
    }

    /// Checks that no two quakes covered by `covered ranges` are the same event.
    private func checkNoneIsHeldTwice(_ coveredRanges: [CoveredRange], excepting misinformed: Set<String>) throws {
        let service = service.value.withLock { $0 }
        var holders: [Int: String] = [:]
        for stored in try context().fetch() where coveredRanges.contains(where: { $0.contains(stored.quake) }) {
            guard !isEdited(stored.key), !stored.quake.isAny(of: misinformed),
                let number = service.truth(ofID: stored.quake.id)
            else { continue }
            if let other = holders.updateValue(stored.quake.id, forKey: number) {
                note("\(other) and \(stored.quake.id) are the same quake")
            }
        }
    }
}

extension Quake {
    /// Whether one of its ids is among the lowercase `ids`.
    func isAny(of ids: Set<String>) -> Bool { aliases.contains { ids.contains($0.lowercased()) } }

    /// Whether this cached quake, to which the id of `quake` leads, is a different one that the service listed
    /// alongside it.
    fileprivate func isAnother(than quake: Quake, in state: StoryService.State) -> Bool {
        !id.isSameID(as: quake.id) && state.quakes.contains { $0.id.isSameID(as: id) }
    }

    /// Whether `quake`, as the service has it, is newer, or has different values at the same moment.
    fileprivate func isOlder(than quake: Quake) -> Bool {
        updated < quake.updated
            || updated == quake.updated
                && (originTime, magnitude, eventType) != (quake.originTime, quake.magnitude, quake.eventType)
            || updated == quake.updated && hypocenter != quake.hypocenter
    }
}

extension CoveredRange {
    var words: String {
        let end = isOpenEnded ? "and on" : ""
        let times = "\(originTimes.lowerBound)..<\(originTimes.upperBound)\(end)"
        return "\(source) \(conditions.coverageJSON) \(times) as of \(asOf)"
    }
}

extension QuakeFilter {
    /// Its times and conditions, in short.
    var words: String {
        "\(since.map { "\($0)" } ?? "")..\(until.map { "\($0)" } ?? "") \(coverageJSON) \(networks.sorted())"
    }
}
