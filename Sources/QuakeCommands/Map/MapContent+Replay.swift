import QuakeMap
import QuakeStore

extension MapContent {
    /// Reads the quakes that match or once matched `descriptor`, with their revisions.
    mutating func readReplay(_ descriptor: QuakeDescriptor, in context: QuakeContext) throws {
        var ids: [QuakeKey: String] = [:]
        for stored in try context.fetch(descriptor) {
            quakes.append(stored.quake)
            ids[stored.key] = stored.quake.id
        }
        let moments = try TransactionMoments(in: context)
        var courses: [QuakeKey: ReplayedQuake] = [:]
        let solved = try context.keysWithSolutions()
        for key in Array(ids.keys) + solved { courses[key] = ReplayedQuake() }
        // Two passes: the first finds the quakes that the filter ever accepted, the second reads all their revisions,
        // including those that the filter does not accept. One pass would keep the revisions of all quakes in memory.
        var search = HistoryDescriptor(start: .oldest)
        search.filter = descriptor.filter
        try context.history.fetch(search) { event in
            if case .change(let relevant) = event { courses[relevant.change.quakeKey] = ReplayedQuake() }
        }
        var whole = HistoryDescriptor(start: .oldest)
        whole.quakeKeys = Set(courses.keys)
        try context.history.fetch(whole) { event in
            guard case .change(let relevant) = event else { return }
            let moment = moments[relevant.transaction]
            courses[relevant.change.quakeKey, default: ReplayedQuake()].add(
                relevant.change, recorded: moment.recorded, published: moment.published, filter: descriptor.filter)
        }
        for key in solved {
            guard let history = try context.solutions(ofKey: key), let known = try context.quake(key: key)?.quake
            else { continue }
            solutions[known.id] = history
            courses[key]?.begin(with: history, of: known, filter: descriptor.filter)
            if ids[key] == nil, courses[key]?.isEverShown != true { courses[key] = nil }
        }
        for (key, id) in ids { revisions[id] = courses.removeValue(forKey: key)?.revisions }
        let departed = courses.sorted { $0.key < $1.key }.compactMap { _, course in
            course.last.map { (quake: $0, revisions: course.revisions) }
        }
        let firstSolution = (Array(revisions.values) + departed.map(\.revisions)).joined()
            .filter(\.isSolution).compactMap(\.published).min()
        replay = Replay(
            recordedStart: moments.recordedStart ?? asOf,
            publishedStart: moments.publishedStart.map { min($0, firstSolution ?? $0) }, departed: departed)
    }
}

/// The history of one quake.
private struct ReplayedQuake {
    private(set) var revisions: [MapContent.Revision] = []
    /// The newest values; for a deleted quake, the last values.
    private(set) var last: Quake?
    /// The values with which the quake first appeared.
    private var arrival: Quake?

    var isEverShown: Bool { revisions.contains { $0.wasShown || $0.isShown } }

    /// Inserts, at the beginning, the solutions published before the first snapshot that contains the quake.
    mutating func begin(with history: SolutionHistory, of known: Quake, filter: QuakeFilter) {
        guard let first = revisions.first, let arrival, let end = first.published else { return }
        var earlier: [MapContent.Revision] = []
        var previous: Quake?
        for (since, quake) in history.states(before: end, withIDsOf: known) + [(end, arrival)] {
            var revision = first
            revision.changes = []
            if let previous {
                revision.addDifferences(from: previous, to: quake)
                revision.changes.removeAll { !Self.replayed.contains($0.property) }
                revision.wasShown = filter.accepts(previous)
            }
            revision.published = since
            revision.isSolution = since < end
            revision.isShown = filter.accepts(quake)
            earlier.append(revision)
            previous = quake
        }
        revisions.replaceSubrange(..<1, with: earlier)
    }

    /// The properties of a solution that a page shows.
    private static let replayed: Set<QuakeProperty> = [
        .time, .lat, .lon, .depth, .mag, .magType, .place, .type, .status, .felt, .cdi, .mmi, .alert,
    ]

    mutating func add(_ change: HistoryChange, recorded: Timestamp, published: Timestamp?, filter: QuakeFilter) {
        var revision = MapContent.Revision(change, recorded: recorded, published: published)
        revision.wasShown = change.kind != .insert && change.before.map(filter.accepts) == true
        revision.isShown = change.after.map(filter.accepts) == true
        if change.kind == .insert, let last, let quake = change.after { revision.addDifferences(from: last, to: quake) }
        if revisions.isEmpty, [.new, .late, .split, .edited].contains(change.reason) { arrival = change.after }
        revisions.append(revision)
        last = change.after ?? change.before
    }
}

/// The times at which each transaction counts as recorded and as published: the two clocks of `--at`.
private struct TransactionMoments {
    private var moments: [TransactionNumber: (recorded: Timestamp, published: Timestamp?)] = [:]
    /// The first moment with a known state: just before the first transaction or, if history was purged, the time up to
    /// which it was purged. Nil without transactions.
    private(set) var recordedStart: Timestamp?
    /// The publication time of the first snapshot; nil if there is none or if history was purged.
    private(set) var publishedStart: Timestamp?

    init(in context: QuakeContext) throws {
        let floor = try context.history.floor()
        let transactions = try context.history.transactions(after: floor.number)
        var newest: Timestamp?
        for transaction in transactions {
            let generated = transaction.provenance?.generated
            newest = [newest, generated].compactMap(\.self).max()
            // A local change counts as published at the publication time of the newest snapshot before it.
            moments[transaction.number] = (transaction.time, generated ?? newest)
        }
        // After a clock was set back, times may decrease. Like `--at`, a replay includes every transaction before one
        // that it includes.
        var earliest = Timestamp.representable.upperBound
        for transaction in transactions.reversed() {
            earliest = min(earliest, transaction.time)
            moments[transaction.number]?.recorded = earliest
        }
        guard let first = transactions.first else { return }
        let firstRecorded = moments[first.number]?.recorded ?? first.time
        recordedStart = floor.number > .zero ? floor.time : firstRecorded - .seconds(1)
        if floor.number == .zero { publishedStart = transactions.compactMap(\.provenance?.generated).min() }
    }

    subscript(transaction: HistoryTransaction) -> (recorded: Timestamp, published: Timestamp?) {
        moments[transaction.number] ?? (transaction.time, transaction.provenance?.generated)
    }
}
