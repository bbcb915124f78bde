import CQuakesSQLite

/// Copies every page of one database into another, in a single transaction on the target.
final class PageCopy {
    private let handle: OpaquePointer
    private let target: Database
    private let source: Database
    private var isOpen = true

    init(from source: Database, to target: Database) throws {
        guard let handle = sqlite3_backup_init(target.handle, "main", source.handle, "main") else {
            throw StoreError(code: sqlite3_errcode(target.handle), connection: target.handle, path: target.path)
        }
        self.handle = handle
        self.source = source
        self.target = target
    }

    deinit {
        if isOpen { sqlite3_backup_finish(handle) }
    }

    /// Locks every other writer out of the target until the copy is finished. The source may still change.
    func holdTarget() throws { try target.check(sqlite3_backup_step(handle, 0)) }

    func finish() throws {
        let step = sqlite3_backup_step(handle, -1)
        isOpen = false
        let end = sqlite3_backup_finish(handle)
        try target.check(step == SQLITE_DONE ? end : step)
    }
}
