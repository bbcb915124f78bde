public import FoundationEssentials

/// What can go wrong with the cache. Holds the facts; the caller writes the message.
public enum StoreError: Error, Equatable, Sendable {
    /// There is no file at `path`, or an empty one, and the context was not to create one.
    case noCache(path: String)
    /// The file is something else: not a SQLite database, or the database of another program.
    case notACache(path: String)
    /// The cache was made by a newer version of this program.
    case otherSchema(path: String, found: Int, supported: Int)
    /// The file, or its folder, cannot be opened.
    case cannotOpen(path: String, reason: String)
    /// Another process held the cache for longer than the busy timeout.
    case busy(path: String)
    /// Another backfill of the cache is running.
    case backfilling(path: String)
    /// The disk is full. Nothing of the transaction is kept.
    case diskFull(path: String)
    /// The log beside the file, or its index, belongs to another state of the cache: the file was replaced while the log
    /// was left, or a program had it open. Neither was touched.
    case foreignLog(path: String)
    /// Another file took the place of the one that is open, or it was removed. Nothing of the transaction is kept.
    case replaced(path: String)
    /// The cache has no log, and this user, who may not write it, cannot create one.
    case noLog(path: String)
    /// A file is at `path`, and was not to be replaced.
    case fileExists(path: String)
    /// The file at `path` is the cache itself, or a database with a log, which some program may have open.
    case backupInUse(path: String)
    /// The cache at `path` has another id than the one it was to replace.
    case otherCache(path: String)
    /// The cache at `path` is damaged.
    case unsound(path: String, findings: [Verification.Finding])
    /// The cache or its folder cannot be written.
    case readOnly(path: String)
    /// The system could not read or write the file; `code` is SQLite's extended result code.
    case inputOutput(path: String, code: Int32, reason: String)
    case corrupt(path: String, reason: String)
    /// SQLite refused a statement of this program; `code` is its extended result code.
    case statement(path: String, code: Int32, reason: String)
    /// The token cannot be used with this cache.
    case token(TokenFault)
    /// The moment lies before the oldest state that can still be rebuilt.
    case generationExpired(floor: TransactionNumber)
    /// The moment lies before the first transaction, which was made at `begins`; nil when there is none.
    case beforeHistory(begins: Timestamp?)
    /// Neither a snapshot that was applied nor a solution that was fetched had been published at the moment. The oldest
    /// was published at `published`; nil when there is none.
    case beforeFirstSnapshot(published: Timestamp?)
    /// A consumer has not read the history that the call would remove.
    case unreadConsumer(name: String, number: TransactionNumber)
    /// The transaction cannot be undone; `quakes` changed again since, or exist already.
    case cannotUndo(transaction: TransactionNumber, quakes: [String])
    /// There is no such transaction in the history that is kept.
    case noTransaction(TransactionNumber)
    /// A value cannot be stored exactly, such as a magnitude that is not a number.
    case unstorable(id: String, property: QuakeProperty, value: String)
    /// A text that describes, such as that of an author, cannot be stored.
    case unstorableText(of: String, reason: String)
    /// The quake under the local key `key` is not `id`: the quake that was to be changed came from another cache, or
    /// from a state that a restored backup replaced.
    case otherQuake(id: String, key: QuakeKey)
    /// The id is that of another quake, under the local key `key`.
    case idTaken(id: String, key: QuakeKey)
    /// The quake that was to get other values was deleted. `id` is the preferred id that it had.
    case gone(id: String, key: QuakeKey)
    /// The quake that was to get other values was merged into another one. `id` is the preferred id that it had, `into`
    /// that of the quake that has its ids now.
    case merged(id: String, into: String)
    /// The context is in the wrong state for the call.
    case contextState(String)
}

/// One sentence. What a user should do about it, a program says itself.
extension StoreError: LocalizedError {
    public var errorDescription: String? { words }

    /// What happened.
    package var words: String {
        switch self {
        case .noCache(let path): "There is no cache at \(path)."
        case .notACache(let path): "\(path) is not a quakes cache."
        case .otherSchema(let path, let found, let supported):
            "\(path) was created by a newer version of quakes (schema \(found), this one supports \(supported))."
        case .cannotOpen("", let reason): "Cannot open an empty path: \(reason)."
        case .cannotOpen(let path, let reason): "Cannot open \(path): \(reason)."
        case .busy(let path): "\(path) is locked: another process or context is using it."
        case .backfilling(let path): "A backfill of \(path) or a details run is already in progress."
        case .diskFull(let path): "No space left on the disk of \(path)."
        case .foreignLog(let path):
            "\(path) was replaced and does not match the log beside it; neither was changed."
        case .replaced(let path): "\(path) was replaced or removed while open, so nothing was read or saved."
        case .noLog(let path):
            "\(path) has no write-ahead log, which is needed to read it, and you do not have permission to create one."
        case .fileExists(let path): "\(path) already exists."
        case .backupInUse(let path):
            "\(path) cannot be used: it is part of the cache itself or a database in use."
        case .otherCache(let path): "\(path) is a backup of another cache; nothing was restored."
        case .unsound(let path, let findings):
            "\(path) is damaged\(findings.first.map { ": \($0.detail)" } ?? ""); nothing was changed."
        case .readOnly(let path): "\(path) or its folder is not writable."
        case .inputOutput(let path, let code, let reason):
            "Cannot read or write \(path) (\(reason), code \(code))."
        case .corrupt(let path, let reason): "\(path) is damaged: \(reason)."
        case .statement(let path, let code, let reason):
            "SQLite error in \(path): \(reason) (code \(code))."
        case .token(let fault): "The token cannot be used: \(fault.words)."
        case .generationExpired(let floor):
            "That state is no longer available: the history up to transaction \(floor) has been purged."
        case .beforeHistory(let begins):
            "That state is not available: the history \(begins.map { "begins at \($0.momentWords)" } ?? "is empty")."
        case .beforeFirstSnapshot(let published?):
            "That state is not available: the first snapshot or solution in the history was published at \(published.momentWords)."
        case .beforeFirstSnapshot(nil): "That state is not available: the history contains no snapshot."
        case .unreadConsumer(let name, let number):
            "The consumer \"\(name)\" has read only through transaction \(number)."
        case .cannotUndo(let transaction, let quakes):
            "Transaction \(transaction) cannot be undone: \(quakes.laterChanges)."
        case .noTransaction(let number): "There is no transaction \(number)."
        case .unstorable(let id, let property, let value):
            "The quake \(id.shortened) cannot be stored: its \(property.rawValue) is \(value.shortened)."
        case .unstorableText(let subject, let reason): "The \(subject) cannot be stored: \(reason)."
        case .otherQuake(let id, let key):
            "Quake \(key) of this cache is not \(id), which came from another cache or predates a restored backup."
        case .idTaken(let id, _): "Another quake already has the id \(id)."
        case .gone(let id, _): "The quake \(id) is no longer in the cache."
        case .merged(let id, let survivor): "The quake \(id) was merged into \(survivor)."
        case .contextState(let reason): "The cache was used incorrectly: \(reason)."
        }
    }
}

extension [String] {
    /// What changed these quakes since: `us7000abcd and ci40000001 have changed since`, of many the first.
    fileprivate var laterChanges: String {
        guard count > 3 else {
            return "\(joined(separator: ", ")) \(count == 1 ? "has" : "have") changed since"
        }
        return "\(count) of its quakes have changed since, such as \(prefix(3).joined(separator: ", "))"
    }
}

extension String {
    /// As much of a value as an error shows.
    fileprivate var shortened: String { count > 80 ? prefix(79) + "…" : self }
}
