@testable import QuakeMirror
import QuakeTestSupport

@testable import QuakeStore

/// A reader of a story's history, who checks that no event is reported as new twice, nor under a new id as another one.
struct StoryConsumer {
    private var token: HistoryToken?
    /// The preferred ids of the living quakes, and the numbers of their events.
    private var held: [QuakeKey: (id: String, number: Int?)] = [:]
    /// The numbers of the events that the reader knows.
    private var known: Set<Int> = []
    /// The numbers of the events that the user deleted or changed, which may be reported again.
    private var excused: Set<Int> = []

    /// Reads the changes since the last time.
    ///
    /// - Parameter excepted: lowercase ids about which the cache was told something false that it could not detect.
    /// - Returns: what was reported falsely.
    mutating func read(
        _ context: QuakeContext, _ service: StoryService, excepting excepted: Set<String>
    ) throws -> [String] {
        var falsities: [String] = []
        let excepted = excepted.union(service.misinformed)
        for change in try newChanges(in: context) {
            if [.purged, .edited, .undone].contains(change.reason) {
                excused.formUnion([change.before, change.after].compactMap { $0.flatMap { event(of: $0, service) } })
                excused.formUnion([held[change.quakeKey]?.number].compactMap(\.self))
            }
            guard let quake = change.after else {
                if let falsity = falsity(ofDeletion: change, service, excepted) { falsities.append(falsity) }
                held[change.quakeKey] = nil
                continue
            }
            let number = event(of: quake, service)
            if [.new, .late].contains(change.reason), let number, !excused.contains(number),
                !quake.isAny(of: excepted)
            {
                falsities += falsity(of: change.reason, quake, number, service, excepted).map { [$0] } ?? []
            }
            // An id may denote another event than before, which no cache can know that did not see it move.
            if let last = held[change.quakeKey], last.id == quake.id, let old = last.number, old != number {
                known.remove(old)
            }
            held[change.quakeKey] = (quake.id, number)
            if let number { known.insert(number) }
        }
        return falsities
    }

    /// Returns what is false about a deletion, if its event, or for a merge one of both, was never gone.
    private func falsity(
        ofDeletion change: HistoryChange, _ service: StoryService, _ excepted: Set<String>
    ) -> String? {
        guard case .delete(let quake, let survivor) = change.effect, !quake.isAny(of: excepted),
            [.merged, .retracted].contains(change.reason), let number = event(of: quake, service),
            !service.everGone.contains(number), !excused.contains(number)
        else { return nil }
        guard let survivor else { return "\(quake.id) is \(change.reason), but it was always there" }
        guard let other = held[survivor], let kept = other.number, kept != number, !service.everGone.contains(kept),
            !excepted.contains(other.id.lowercased()), !excused.contains(kept)
        else { return nil }
        return "\(quake.id) is merged into \(other.id), but both were always there"
    }

    private func falsity(
        of reason: ChangeReason, _ quake: Quake, _ number: Int, _ service: StoryService, _ excepted: Set<String>
    ) -> String? {
        let states = service.countOfStates(upTo: quake)
        let holder = held.values.first { holder in
            !excepted.contains(holder.id.lowercased()) && service.truth(ofID: holder.id, inFirst: states) == number
        }
        if let holder { return "\(quake.id) is reported as \(reason), but it is \(holder.id)" }
        // The id under which the reader knows the event may denote another one now.
        let former = held.values.first { $0.number == number }
        if let former, service.truth(ofID: former.id, inFirst: states) != number { return nil }
        return known.contains(number) ? "\(quake.id) is reported as \(reason) again" : nil
    }

    /// Returns the number of the event that `quake` is, as the service last had it.
    private func event(of quake: Quake, _ service: StoryService) -> Int? {
        service.truth(ofID: quake.id, inFirst: service.countOfStates(upTo: quake))
    }

    /// Returns the changes since the last time; all of them if a restore has replaced the history.
    private mutating func newChanges(in context: QuakeContext) throws -> [HistoryChange] {
        do {
            return try changes(in: context, HistoryDescriptor(start: token.map { .token($0) } ?? .beginning))
        } catch StoreError.token {
            self = StoryConsumer()
            return try changes(in: context, HistoryDescriptor(start: .oldest))
        }
    }

    private mutating func changes(in context: QuakeContext, _ descriptor: HistoryDescriptor) throws -> [HistoryChange] {
        var changes: [HistoryChange] = []
        try context.history.fetch(descriptor, resyncs: false) { event in
            switch event {
            case .change(let relevant): changes.append(relevant.change)
            case .end(let end): token = end.token
            case .dropEverything, .resync: break
            }
        }
        return changes
    }
}
