/// What a check of a cache found: ``StoreMaintenance/verify(full:findingsPerCheck:)``.
public struct Verification: Hashable, Sendable {
    /// What is checked, in this order.
    public enum Check: String, CaseIterable, Sendable {
        /// The pages of the file, by SQLite's own check.
        case file
        /// Tables, indexes, triggers and views are those of the schema's version.
        case schema
        /// Every row has the checksum of its values, and every quake possible ones.
        case rows
        /// The newest token, and the numbers that are given next.
        case store
        /// Transactions and the changes of each quake follow each other, and end at the current row.
        case values
        /// The id of each quake leads to it.
        case aliases
    }

    /// One thing that is wrong.
    public struct Finding: Hashable, Sendable {
        /// The check that found it.
        public var check: Check
        /// What is wrong, as a clause for people.
        public var detail: String
    }

    /// What is wrong, at most that many of each check as were asked for.
    public var findings: [Finding] = []
    /// How many more findings there are.
    public var omitted = 0
    /// The newest token of the state that was checked; nil if the cache no longer knows it.
    public var token: HistoryToken?
    /// Quakes checked.
    public var quakes = 0
    /// Transactions checked.
    public var transactions = 0
    /// Changes checked.
    public var changes = 0
    /// Ids checked.
    public var aliases = 0

    public var isSound: Bool { findings.isEmpty }
}

extension StoreMaintenance {
    /// Checks the whole cache in one snapshot. Writes nothing, and needs memory that does not grow with the cache.
    ///
    /// - Parameters:
    ///   - full: also compare every index with its table, which takes several times as long.
    ///   - findingsPerCheck: how many findings of each check are kept.
    /// - Throws: ``StoreError/contextState(_:)`` in a pinned context, and what keeps the file from being read at all.
    ///   Damage is a finding, not an error.
    public func verify(full: Bool = false, findingsPerCheck: Int = 20) throws -> Verification {
        guard !context.isPinned else { throw StoreError.contextState("a pinned cache was to be verified") }
        let log = FindingLog(limit: findingsPerCheck)
        // Rolled back: SQLite refuses to commit even a read transaction in which it met a damaged page.
        try context.inTransaction(.reading, keep: { _ in false }) {
            try CacheChecks(context: context, database: context.database(), log: log).run(full: full)
        }
        // What SQLite finds in a file whose log holds nothing may be the index of another file's log.
        let file = CacheFile(path: context.cache.path)
        if log.result.findings.contains(where: { $0.check == .file }),
            WriteAheadLog(ofDatabaseAt: file.location) == nil,
            let fault = file.otherFault(through: context.connection.handle)
        {
            throw fault
        }
        return log.result
    }
}

/// Collects findings, a limited number of each check.
final class FindingLog {
    private(set) var result = Verification()
    private let limit: Int
    private var counts: [Verification.Check: Int] = [:]

    init(limit: Int) { self.limit = limit }

    func add(_ check: Verification.Check, _ detail: String) {
        // One damaged page may stop several steps of a check.
        if let last = result.findings.last, last.check == check, last.detail == detail { return }
        counts[check, default: 0] += 1
        guard counts[check, default: 0] <= limit else {
            result.omitted += 1
            return
        }
        result.findings.append(Verification.Finding(check: check, detail: String(detail.prefix(300))))
    }

    func count(_ path: WritableKeyPath<Verification, Int>, _ count: Int = 1) { result[keyPath: path] += count }
    func note(token: HistoryToken) { result.token = token }

    /// Runs `body`; damage that keeps it from going on is a finding of `check`.
    func run(_ check: Verification.Check, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch StoreError.corrupt(_, let reason) {
            add(check, reason)
        } catch StoreError.statement(_, _, let reason) {
            add(check, reason)
        }
    }
}
