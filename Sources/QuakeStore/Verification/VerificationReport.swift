/// The result of checking a cache: ``StoreMaintenance/verify(full:findingsPerCheck:)``.
public struct VerificationReport: Hashable, Sendable {
    /// The checks, in the order in which they run.
    package enum Check: String, CaseIterable, Sendable {
        /// SQLite's own check of the file's pages.
        case file
        /// Tables, indexes, triggers and views match the schema version.
        case schema
        /// Every row matches its checksum, and every quake has a possible location and time.
        case rows
        /// The newest token and the next numbers to be assigned are valid.
        case store
        /// Transactions and each quake's changes follow one another and lead to the current rows.
        case values
        /// Each quake's id leads to that quake.
        case aliases
    }

    /// A fault found in the cache.
    public struct Finding: Hashable, Sendable {
        /// The check that found the fault.
        package var check: Check
        /// A human-readable description of the fault, without a final period.
        public var detail: String
    }

    /// The faults found, limited to the requested number per check.
    public var findings: [Finding] = []
    /// The number of further findings.
    package var omitted = 0
    /// The newest token of the checked state; nil if the cache no longer knows it.
    package var token: HistoryToken?
    /// The number of quakes checked.
    package var quakes = 0
    /// The number of transactions checked.
    package var transactions = 0
    /// The number of changes checked.
    package var changes = 0
    /// The number of ids checked.
    package var aliases = 0

    public var isSound: Bool { findings.isEmpty }
}

extension StoreMaintenance {
    /// Checks the whole cache without changing it. Memory use does not depend on the cache's size.
    ///
    /// - Parameters:
    ///   - full: whether to also compare every index with its table, which takes several times as long.
    ///   - findingsPerCheck: the maximum number of findings to keep per check.
    /// - Throws: ``StoreError/contextState(_:)`` in a pinned context, and errors that prevent the file from being read
    ///   at all. Damage is a finding, not an error.
    public func verify(full: Bool = false, findingsPerCheck: Int = 20) throws -> VerificationReport {
        guard !context.isPinned else { throw StoreError.contextState("a verification of a pinned cache") }
        let log = FindingLog(limit: findingsPerCheck)
        // Roll back, because SQLite refuses to commit even a read transaction that encountered a damaged page.
        try context.inTransaction(.reading, keep: { _ in false }) {
            try CacheChecks(context: context, database: context.database(), log: log).run(full: full)
        }
        // If the log is empty, the apparent damage may come from the index of another file's log.
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

/// Collects findings, up to a limit per check.
final class FindingLog {
    private(set) var result = VerificationReport()
    private let limit: Int
    private var counts: [VerificationReport.Check: Int] = [:]

    init(limit: Int) { self.limit = limit }

    func add(_ check: VerificationReport.Check, _ detail: String) {
        // One damaged page may stop several steps of the same check.
        if let last = result.findings.last, last.check == check, last.detail == detail { return }
        counts[check, default: 0] += 1
        guard counts[check, default: 0] <= limit else {
            result.omitted += 1
            return
        }
        result.findings.append(VerificationReport.Finding(check: check, detail: String(detail.prefix(300))))
    }

    func count(_ path: WritableKeyPath<VerificationReport, Int>, _ count: Int = 1) { result[keyPath: path] += count }
    func note(token: HistoryToken) { result.token = token }

    /// Runs `body`. Damage that stops it becomes a finding of `check`.
    func run(_ check: VerificationReport.Check, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch StoreError.corrupt(_, let reason) {
            add(check, reason)
        } catch StoreError.statement(_, _, let reason) {
            add(check, reason)
        }
    }
}
