public import FoundationEssentials
import QuakeModel

/// One sentence. What a user should do about it, a program says itself.
extension StoreError: LocalizedError {
    /// What happened.
    public var errorDescription: String? { words }

    /// What happened.
    package var words: String {
        switch self {
        case .noCache(let path): "There is no cache at \(path)."
        case .notACache(let path): "\(path) is not a quakes cache."
        case .otherSchema(let path, let found, let supported) where found < supported:
            "\(path) was created by an older version of quakes (schema \(found), this one needs \(supported))."
        case .otherSchema(let path, let found, let supported):
            "\(path) was created by a newer version of quakes (schema \(found), this one supports \(supported))."
        case .cannotOpen("", let reason): "Cannot open an empty path: \(reason)."
        case .cannotOpen(let path, let reason): "Cannot open \(path): \(reason)."
        case .busy(let path): "\(path) is locked: another process or context is writing to it."
        case .refreshing(let path): "Another refresh of \(path) is running."
        case .backfilling(let path): "Another backfill of \(path) is running."
        case .cannotLock(let path, let reason): "Cannot lock \(path): \(reason)."
        case .diskFull(let path): "No space left on the disk of \(path); the cache is unchanged."
        case .foreignLog(let path):
            "\(path)-wal does not match \(path), which has been replaced; neither was changed."
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
        case .token(let fault): "The token is no longer valid: \(fault.words)."
        case .generationExpired(let floor):
            "That state is no longer available: the history up to transaction \(floor) has been purged."
        case .beforeHistory(let begins):
            "That state is not available: the history \(begins.map { "begins at \($0.momentWords)" } ?? "is empty")."
        case .beforeFirstSnapshot(let published?):
            "That state is not available: the first snapshot in the history was published at \(published.momentWords)."
        case .beforeFirstSnapshot(nil): "That state is not available: the history contains no snapshot."
        case .unreadConsumer(let name, let number):
            "The consumer \"\(name)\" has read only up to transaction \(number)."
        case .cannotUndo(let transaction, let quakes):
            "Transaction \(transaction) cannot be undone: \(quakes.prefix(3).joined(separator: ", ")) has changed since."
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

extension String {
    /// As much of a value as an error shows.
    fileprivate var shortened: String { count > 80 ? prefix(79) + "…" : self }
}
