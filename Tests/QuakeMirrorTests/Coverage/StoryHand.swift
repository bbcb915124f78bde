import QuakeEditing
@testable import QuakeMirror
import QuakeTestSupport
import Synchronization

@testable import QuakeStore

/// A program that works with a story's cache: the story itself, or another process.
struct StoryHand: Sendable {
    enum Act: CaseIterable {
        case purge, edit, undo, refresh
    }

    let cache: QuakeCache
    let service: Arc<StoryService>
    /// Quakes whose values a program or an undo changed, so that they may differ from the service's.
    let edited: Arc<Set<QuakeKey>>

    func context() throws -> QuakeContext { try QuakeContext(cache, author: "story") }

    /// Performs an act, and returns its description.
    @discardableResult
    func perform(_ act: Act, _ random: inout SplitMix64) throws -> String {
        let before = try rows()
        let words =
            switch act {
            case .purge: try purge(&random)
            case .edit: try edit(&random)
            case .undo: try undo(TransactionNumber(currentToken().rawValue - Int64(random.next(4))))
            case .refresh: try refresh()
            }
        if act != .refresh { try noteEdited(since: before) }
        return words
    }

    func currentToken() throws -> TransactionNumber { try context().history.currentToken().number }

    /// Undoes a transaction, if it exists and can be undone.
    func undo(_ number: TransactionNumber) throws -> String {
        let before = try rows()
        if number.rawValue > 0 { _ = try? context().undo(transaction: number) }
        try noteEdited(since: before)
        return "undo \(number)"
    }

    func rows() throws -> [QuakeKey: Quake] {
        Dictionary(uniqueKeysWithValues: try context().fetch().map { ($0.key, $0.quake) })
    }

    private func noteEdited(since before: [QuakeKey: Quake]) throws {
        let changed = try rows().filter { before[$0.key] != $0.value }.map(\.key)
        edited.value.withLock { $0.formUnion(changed) }
    }

    private func purge(_ random: inout SplitMix64) throws -> String {
        let filter = filter(&random)
        try context().maintenance.purge(filter)
        return "purge \(filter.words)"
    }

    /// A moment in the last 100 days, usually midnight.
    func moment(_ random: inout SplitMix64) -> Timestamp {
        let now = service.value.withLock { $0.now }
        return now - .seconds(random.next(4) == 0 ? random.next(100 * 86_400) : random.next(100) * 86_400)
    }

    private func filter(_ random: inout SplitMix64) -> QuakeFilter {
        switch random.next(10) {
        case 0: return QuakeFilter()
        case 1: return QuakeFilter(until: moment(&random))
        case 2: return QuakeFilter(since: moment(&random))
        case 3: return QuakeFilter(maximumMagnitude: Double(random.next(4)) / 2)
        case 4: return QuakeFilter(minimumMagnitude: 1, until: moment(&random))
        case 5: return QuakeFilter(minimumMagnitude: 0.8, maximumMagnitude: 1.5)
        case 6: return QuakeFilter(since: moment(&random), maximumDepthKilometers: 200)
        case 7: return QuakeFilter(eventTypes: ["quarry blast"])
        case 8:
            let since = moment(&random)
            return QuakeFilter(since: since, until: since + .seconds(120 + random.next(2) * 86_400))
        default: return QuakeFilter(networks: ["us", "ci"])
        }
    }

    private func edit(_ random: inout SplitMix64) throws -> String {
        let context = try context()
        let quakes = try context.fetch()
        guard !quakes.isEmpty else { return "no edit" }
        let quake = quakes[random.next(quakes.count)]
        let editor = QuakeEditor(context)
        try editor.transaction {
            switch random.next(4) {
            case 0: try editor.delete(quake)
            case 1: try editor.update(quake, to: quake.quake.with { $0.magnitude = 0.1 })
            case 2:
                let time = moment(&random)
                try editor.update(quake, to: quake.quake.with { $0.originTime = time })
            default:
                try editor.delete(where: QuakeFilter(since: quake.quake.originTime, networks: [quake.quake.net]))
            }
        }
        return "edit \(quake.quake.id)"
    }

    /// Refreshes from a feed that matches the service.
    private func refresh() throws -> String {
        let service = service
        let transport = StoryTransport { url in service.value.withLock { $0.service.answer(to: url) } }
        _ = try? FeedMirror(cache, transport: transport).session { try $0.refresh(.summary(FeedName(.all, .week))) }
        return "refresh"
    }
}

extension Quake {
    fileprivate func with(_ change: (inout Quake) -> Void) -> Quake {
        var copy = self
        change(&copy)
        return copy
    }
}
