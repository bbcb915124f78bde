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
    /// The number of findings beyond the limit.
    package var omitted = 0
    /// The newest token of the checked state; nil if it cannot be read.
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
