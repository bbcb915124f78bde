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
        case .notACache(let path): "\(path) is not a cache of quakes."
        case .otherSchema(let path, let found, let supported) where found < supported:
            "\(path) was created by an older version of quakes (schema \(found), this one needs \(supported))."
        case .otherSchema(let path, let found, let supported):
            "\(path) was created by a newer version of quakes (schema \(found), this one supports \(supported))."
        case .cannotOpen("", let reason): "The empty path cannot be opened: \(reason)."
        case .cannotOpen(let path, let reason): "\(path) cannot be opened: \(reason)."
        case .busy(let path): "\(path) is being written by another process or context."
        case .refreshing(let path): "Another refresh of \(path) is running."
        case .backfilling(let path): "Another backfill of \(path) is running."
        case .cannotLock(let path, let reason): "\(path) cannot be locked: \(reason)."
        case .diskFull(let path): "The disk of \(path) is full; the cache is unchanged."
        case .foreignLog(let path):
            "\(path)-wal belongs to another state of \(path), which was replaced; neither was changed."
        case .replaced(let path): "\(path) was replaced or removed while it was open; nothing was saved."
        case .noLog(let path):
            "\(path) has no log beside it, and you may not create one, which reading it needs."
        case .fileExists(let path): "\(path) exists already."
        case .backupInUse(let path):
            "\(path) cannot be used: it belongs to the cache itself, or is a database that has a log beside it."
        case .otherCache(let path): "\(path) is a backup of another cache; nothing was restored."
        case .unsound(let path, let findings):
            "\(path) is damaged\(findings.first.map { ": \($0.detail)" } ?? ""); nothing was changed."
        case .readOnly(let path): "\(path) or its folder is not writable."
        case .inputOutput(let path, let code, let reason):
            "Reading or writing \(path) failed (\(reason), code \(code))."
        case .corrupt(let path, let reason): "\(path) is damaged: \(reason)."
        case .statement(let path, let code, let reason):
            "SQLite reported an error on \(path): \(reason) (code \(code))."
        case .token(let fault): "The token cannot be used: \(fault.words)."
        case .generationExpired(let floor):
            "That state is not available: the history up to transaction \(floor) was purged."
        case .beforeHistory(let begins):
            "That state is not available: the history \(begins.map { "begins at \($0.momentWords)" } ?? "is empty")."
        case .beforeFirstSnapshot(let published?):
            "That state is not available: the first document in the history was published at \(published.momentWords)."
        case .beforeFirstSnapshot(nil): "That state is not available: the history contains no document."
        case .unreadConsumer(let name, let number):
            "The consumer \"\(name)\" has read only up to transaction \(number)."
        case .cannotUndo(let transaction, let quakes):
            "Transaction \(transaction) cannot be undone: \(quakes.prefix(3).joined(separator: ", ")) changed afterwards."
        case .noTransaction(let number): "The history contains no transaction \(number)."
        case .unstorable(let id, let property, let value):
            "The quake \(id.shortened) cannot be stored: its \(property.rawValue) is \(value.shortened)."
        case .unstorableText(let subject, let reason): "The \(subject) cannot be stored: \(reason)."
        case .otherQuake(let id, let key):
            "Quake \(key) of this cache is not \(id), which came from another cache or from before a restored backup."
        case .idTaken(let id, _): "Another quake has the id \(id)."
        case .gone(let id, _): "The quake \(id) is not in the cache any more."
        case .contextState(let reason): "The cache was used incorrectly: \(reason)."
        }
    }
}

extension String {
    /// As much of a value as an error shows.
    fileprivate var shortened: String { count > 80 ? prefix(79) + "…" : self }
}
