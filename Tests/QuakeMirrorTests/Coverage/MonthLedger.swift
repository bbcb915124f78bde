@testable import QuakeMirror
import QuakeTestSupport

@testable import QuakeStore

/// What the history of a ``SimulatedMonth`` says about each event, compared with what was published.
struct MonthLedger {
    /// An insertion or deletion.
    private struct Entry {
        var moment: Timestamp
        var id: String
        var reason: ChangeReason
    }

    /// How old the state behind a response may be.
    private static let longestLag = MonthServers.longestLag + MonthServers.longestFreeze
    /// The times between two monthly feeds.
    private static let week = Duration.seconds(8 * PublishedMonth.day)

    private let published: PublishedMonth
    private var insertions: [Int: [Entry]] = [:]
    private var deletions: [Int: [Entry]] = [:]
    /// The ids under which the cache holds each event.
    private var held: [Int: [String]] = [:]

    init(of month: SimulatedMonth) throws {
        published = month.published
        try month.context.history.fetch { event in
            guard case .change(let relevant) = event else { return }
            let change = relevant.change
            guard let quake = change.after ?? change.before, let number = published.numbers[quake.id] else { return }
            let entry = Entry(moment: relevant.transaction.time, id: quake.id, reason: change.reason)
            switch change.kind {
            case .insert: insertions[number, default: []].append(entry)
            case .delete: deletions[number, default: []].append(entry)
            case .update: break
            }
        }
        for stored in try month.context.fetch() {
            guard let number = published.numbers[stored.quake.id] else { continue }
            held[number, default: []].append(stored.quake.id)
        }
    }

    /// The retractions of quakes that the cache held, and that lasted for longer than `patience`.
    ///
    /// - Parameter outage: times at which no service could say anything; they do not count.
    func retractions(
        lasting patience: Duration, outage: Range<Timestamp>?
    ) -> [(retraction: PublishedMonth.Retraction, deadline: Timestamp)] {
        published.retractions.compactMap { retraction in
            guard let first = insertions[retraction.number]?.first else { return nil }
            var deadline = max(retraction.moment, first.moment) + patience
            if let outage, outage.overlaps(retraction.moment..<deadline) { deadline = outage.upperBound + patience }
            let end = min(retraction.restored ?? PublishedMonth.end, PublishedMonth.end)
            return deadline < end ? (retraction, deadline) : nil
        }
    }

    /// The retractions that were not recorded within `patience`.
    func unrecorded(after patience: Duration, outage: Range<Timestamp>? = nil) -> [String] {
        retractions(lasting: patience, outage: outage).compactMap { retraction, deadline in
            let entries = (deletions[retraction.number] ?? []).filter { $0.reason == .retracted }
            guard !entries.contains(where: { $0.moment <= deadline }) else { return nil }
            let recorded = entries.first.map { "only at \($0.moment)" } ?? "never"
            return "retracted after \(retraction.age) at \(retraction.moment), recorded \(recorded)"
        }
    }

    /// The deletions of quakes that existed in every state that a response could be from.
    var falseDeletions: [String] {
        deletions.flatMap { number, entries in
            entries.filter { entry in
                entry.reason == .retracted
                    && published.isLiving(number, in: entry.moment - Self.longestLag...entry.moment)
            }
            .map { "\($0.id) at \($0.moment)" }
        }
    }

    /// The quakes that returned more often than they were restored, or were new more than once.
    var repeatedInsertions: [String] {
        insertions.flatMap { number, entries in
            let returns = published.retractions.count { $0.number == number && $0.restored != nil }
            let restored = entries.filter { $0.reason == .restored }
            let new = entries.filter { [.new, .late].contains($0.reason) }
            return (restored.dropFirst(returns) + new.dropFirst()).map { "\($0.id) is \($0.reason) at \($0.moment)" }
        }
    }

    /// The quakes that the feeds have listed unchanged for a week at the end, but that the cache does not hold, or
    /// holds twice or under another id.
    var wrongAtEnd: [String] {
        let end = PublishedMonth.end
        return published.versions(of: PublishedMonth.start...end - Self.week, at: end).compactMap { version in
            guard version.isListed, version.since < end - Self.week, let number = published.numbers[version.quake.id]
            else { return nil }
            let ids = held[number] ?? []
            return ids == [version.quake.id] ? nil : "\(version.quake.id) is held as \(ids)"
        }
    }
}
