public import FoundationEssentials

/// An error of the cache. Each case contains the facts; ``errorDescription`` describes them.
public enum StoreError: Error, Hashable, Sendable {
    /// The file at `path` is missing or empty, and the context was not allowed to create a cache.
    case noCache(path: String)
    /// The file is not a cache: it is not a SQLite database, or it is another program's database.
    case notACache(path: String)
    /// The cache has a newer schema than this version of the program supports, or an older schema that only a user with
    /// write access can upgrade.
    case otherSchema(path: String, found: Int, supported: Int)
    case cannotOpen(path: String, reason: String)
    /// The cache stayed locked for longer than the busy timeout.
    case busy(path: String)
    /// A backfill of the cache, a request for solutions, or a restore is already running.
    case backfilling(path: String)
    /// The disk is full. The transaction was rolled back.
    case diskFull(path: String)
    /// The log beside the file, or the log's index, belongs to another state of the cache, because the file was
    /// replaced without its log or while a program had it open. The file and its log were left unchanged.
    case foreignLog(path: String)
    /// The open file was replaced or removed. The transaction was rolled back.
    case replaced(path: String)
    /// The cache has no write-ahead log, and this user has no permission to create one.
    case noLog(path: String)
    /// A file already exists at `path` and must not be replaced.
    case fileExists(path: String)
    /// The file at `path` is part of the cache itself, or a database that seems to be in use.
    case backupInUse(path: String)
    /// The backup at `path` was made from a different cache than the cache to be replaced.
    case otherCache(path: String)
    /// The cache at `path` failed verification; `findings` describes the faults.
    case unsound(path: String, findings: [String])
    /// The context was opened for reading, or the cache or its folder is not writable.
    case readOnly(path: String)
    /// The system could not read or write the file; `code` is SQLite's extended result code.
    case inputOutput(path: String, code: Int32, reason: String)
    case corrupt(path: String, reason: String)
    /// SQLite rejected a statement; `code` is its extended result code.
    case statement(path: String, code: Int32, reason: String)
    /// The token cannot be used with this cache.
    case token(TokenFault)
    /// The requested state can no longer be rebuilt: its history, up to transaction `trimmedThrough`, was trimmed.
    case generationExpired(trimmedThrough: TransactionNumber)
    /// The requested time is before the first transaction, whose time is `begins`; nil if there is no transaction.
    case beforeHistory(begins: Timestamp?)
    /// No applied snapshot or fetched solution had been published by the requested time. The oldest one was published
    /// at `published`; nil if there is none.
    case beforeFirstSnapshot(published: Timestamp?)
    /// The call would remove history after transaction `number`, the last transaction that the consumer `name` has
    /// read.
    case unreadConsumer(name: String, number: TransactionNumber)
    /// The transaction cannot be undone: `quakes` have changed since then, or other quakes now have their former ids.
    case cannotUndo(transaction: TransactionNumber, quakes: [String])
    /// The retained history contains no such transaction.
    case noTransaction(TransactionNumber)
    /// A value cannot be stored exactly, such as a magnitude that is NaN, or is impossible: a latitude, longitude or
    /// depth (in kilometers, −100 to 6,400) out of range, or a network or code that is not printable ASCII.
    case unstorable(id: String, property: QuakeProperty, value: String)
    /// A number that a program passed is out of range: a negative limit, offset or timeout, a batch size, number of
    /// readers or number of operations below 1, an interval below 50 milliseconds, or NaN. The first value names the
    /// parameter or property.
    case outOfRange(_ name: String, value: String)
    /// A string such as an author's name cannot be stored.
    case unstorableText(of: String, reason: String)
    /// The local key `key` belongs to a quake other than `id`: the quake to be changed came from another cache, or from
    /// a state that was replaced by restoring a backup.
    case otherQuake(id: String, key: QuakeKey)
    /// The id already belongs to the quake with the local key `key`.
    case idTaken(id: String, key: QuakeKey)
    /// The quake to be updated was deleted. `id` was its preferred id.
    case gone(id: String, key: QuakeKey)
    /// The quake to be updated was merged into another quake. `id` was its preferred id; `into` is the preferred id of
    /// the quake that now has its ids.
    case merged(id: String, into: String)
    /// Properties to be changed, or quakes to be deleted, have changed since they were fetched, by another writer or an
    /// earlier save of the same editor. `quakes` contains the changed properties, keyed by the quake's preferred id.
    case conflict(quakes: [String: [QuakeProperty]])
    /// The context is in the wrong state for the call.
    case contextState(String)
}

/// The error as one sentence. Advice for the user is left to the program.
extension StoreError: LocalizedError {
    public var errorDescription: String? { words }

    package var words: String {
        switch self {
        case .noCache(let path): "There is no cache at \(path)."
        case .notACache(let path): "\(path) is not a quakes cache."
        case .otherSchema(let path, let found, let supported) where found < supported:
            "\(path) has the older schema \(found), which only a user with write access can upgrade to \(supported)."
        case .otherSchema(let path, let found, let supported):
            "\(path) was created by a newer version of quakes (schema \(found); this version supports \(supported))."
        case .cannotOpen("", let reason): "Cannot open an empty path: \(reason)."
        case .cannotOpen(let path, let reason): "Cannot open \(path): \(reason)."
        case .busy(let path): "\(path) is locked: another process or context is using it."
        case .backfilling(let path): "Another backfill, details or restore command is already using \(path)."
        case .diskFull(let path): "No space left on the disk of \(path)."
        case .foreignLog(let path):
            "\(path) was replaced and does not match its write-ahead log; both files were left unchanged."
        case .replaced(let path): "\(path) was replaced or removed while open, so nothing was read or saved."
        case .noLog(let path):
            "\(path) cannot be read without a write-ahead log, and you do not have permission to create one."
        case .fileExists(let path): "\(path) already exists."
        case .backupInUse(let path):
            "\(path) cannot be used as a backup: it is part of the cache itself, or is a database in use."
        case .otherCache(let path): "\(path) is a backup of another cache; nothing was restored."
        case .unsound(let path, let findings):
            "\(path) is damaged\(findings.first.map { ": \($0)" } ?? ""). Nothing was changed."
        case .readOnly(let path): "\(path) or its folder is not writable, or was opened for reading."
        case .inputOutput(let path, let code, let reason):
            "Cannot read or write \(path) (\(reason), code \(code))."
        case .corrupt(let path, let reason): "\(path) is damaged: \(reason)."
        case .statement(let path, let code, let reason):
            "SQLite error in \(path): \(reason) (code \(code))."
        case .token(let fault): "The token cannot be used: \(fault.words)."
        case .generationExpired(let floor):
            "That state is not available: the history up to transaction \(floor) has been purged."
        case .beforeHistory(let begins):
            "That state is not available: the history \(begins.map { "begins at \($0.momentWords)" } ?? "is empty")."
        case .beforeFirstSnapshot(let published?):
            "That state is not available: nothing in the history was published before \(published.momentWords)."
        case .beforeFirstSnapshot(nil): "That state is not available: the history contains no copy of a feed."
        case .unreadConsumer(let name, let number):
            "The consumer \"\(name)\" has read only through transaction \(number)."
        case .cannotUndo(let transaction, let quakes):
            "Transaction \(transaction) cannot be undone: \(quakes.laterChanges)."
        case .noTransaction(let number): "There is no transaction \(number)."
        case .unstorable(let id, let property, let value):
            "The quake \(id.shortened) cannot be stored: its \(property.rawValue) is \(value.shortened)."
        case .outOfRange(let name, let value): "The value \(value) is out of range for \(name)."
        case .unstorableText(let subject, let reason): "The \(subject) cannot be stored: \(reason)."
        case .otherQuake(let id, let key):
            "Quake \(key) in this cache is not \(id): \(id) came from another cache or predates a restored backup."
        case .idTaken(let id, _): "Another quake already has the id \(id)."
        case .gone(let id, _): "The quake \(id) is no longer in the cache."
        case .merged(let id, let survivor): "The quake \(id) was merged into \(survivor)."
        case .conflict(let quakes):
            "Nothing was saved, because \(quakes.changedProperties) changed after being fetched."
        case .contextState(let reason): "The cache was used incorrectly: \(reason)."
        }
    }
}

extension [String] {
    /// A clause that names up to three changed quakes, such as `us7000abcd, ci40000001 have changed since`.
    fileprivate var laterChanges: String {
        guard count > 3 else {
            return "\(joined(separator: ", ")) \(count == 1 ? "has" : "have") changed since"
        }
        return "\(count) of its quakes have changed since, such as \(prefix(3).joined(separator: ", "))"
    }
}

extension [String: [QuakeProperty]] {
    /// Up to three quakes with their properties, such as `us7000abcd (mag, place)`.
    fileprivate var changedProperties: String {
        let quakes = sorted { $0.key < $1.key }.prefix(3).map { id, properties in
            "\(id.shortened) (\(properties.map(\.rawValue).joined(separator: ", ")))"
        }
        return quakes.joined(separator: ", ") + (count > 3 ? " and \(count - 3) more quakes" : "")
    }
}

extension String {
    /// The value as shown in an error, truncated to 80 characters.
    fileprivate var shortened: String { count > 80 ? prefix(79) + "…" : self }
}
