public import FoundationEssentials
import QuakeModel

/// One sentence for a log. What a user should do about it, a program says itself.
extension StoreError: LocalizedError {
    /// What happened.
    public var errorDescription: String? {
        switch self {
        case .noCache(let path): "There is no cache at \(path)."
        case .notACache(let path): "\(path) is not a quakes cache."
        case .otherSchema(let path, let found, let supported):
            "\(path) has schema version \(found); this program supports \(supported)."
        case .cannotOpen(let path, let reason): "\(path) cannot be opened: \(reason)."
        case .busy(let path): "Another process is writing to \(path)."
        case .refreshing(let path): "Another refresh of \(path) is running."
        case .backfilling(let path): "Another backfill of \(path) is running."
        case .cannotLock(let path, let reason): "\(path) cannot be locked: \(reason)."
        case .diskFull(let path): "The disk of \(path) is full."
        case .foreignLog(let path): "The log beside \(path) belongs to another state of it."
        case .noLog(let path): "\(path) has no log, and this user may not create one."
        case .fileExists(let path): "\(path) exists."
        case .backupInUse(let path): "\(path) is the cache itself, or a database with a log."
        case .otherCache(let path): "\(path) is a backup of another cache."
        case .unsound(let path, let findings):
            "\(path) is damaged: \(findings.first?.detail ?? "unknown")."
        case .readOnly(let path): "\(path) cannot be written."
        case .inputOutput(let path, let code, let reason):
            "\(path) cannot be read or written: \(reason) (SQLite code \(code))."
        case .corrupt(let path, let reason): "\(path) is damaged: \(reason)."
        case .statement(let path, let code, let reason):
            "SQLite refused a statement on \(path): \(reason) (code \(code))."
        case .token(let fault): "The token cannot be followed: it is \(fault.rawValue)."
        case .generationExpired(let floor):
            "The state cannot be rebuilt: history up to transaction \(floor) was purged."
        case .beforeHistory(let begins):
            "The moment lies before the history\(begins.map { ", which begins at \($0.iso8601)" } ?? "")."
        case .beforeFirstSnapshot(let published):
            "The moment lies before the first snapshot\(published.map { ", published at \($0.iso8601)" } ?? "")."
        case .unreadConsumer(let name, let number): "The consumer \(name) has read only up to transaction \(number)."
        case .cannotUndo(let transaction, let quakes):
            "Transaction \(transaction) cannot be undone: \(quakes.joined(separator: ", ")) changed since."
        case .noTransaction(let number): "The history contains no transaction \(number)."
        case .unstorable(let id, let property, let value):
            "The quake \(id) cannot be stored: its \(property.rawValue) is \(value)."
        case .idTaken(let id, let key): "The id \(id) is that of another quake, under the key \(key)."
        case .contextState(let reason): "The context was used incorrectly: \(reason)."
        }
    }
}
