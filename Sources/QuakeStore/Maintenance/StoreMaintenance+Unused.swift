import Glibc
import QuakeModel
import QuakeSystem

extension StoreMaintenance {
    /// Removes the file of a cache in which nothing was kept, unless another program has it open. The context is not
    /// used any more then.
    ///
    /// A server's wish not to be asked for a while counts as kept.
    package func discardIfUnused() throws {
        // SQLite gives the log up only where no other connection has the file open.
        try context.connection.requireSameFile()
        guard try isUnused(),
            try context.connection.first("PRAGMA journal_mode = DELETE", read: { $0.text(0) }) == "delete"
        else { return }
        try context.connection.execute("BEGIN EXCLUSIVE")
        // Whoever opens the file from here on finds it locked, and at its first write that it is gone.
        if try isUnused() {
            try context.connection.requireSameFile()
            unlink(FileLocation.resolved(context.cache.path))
        }
        try context.connection.execute("COMMIT")
    }

    private func isUnused() throws -> Bool {
        let now = context.cache.configuration.now()
        return try context.history.head().number == .zero && context.history.floor().number == .zero
            && context.history.consumers().isEmpty && context.sources.claims().isEmpty
            && context.sources.feeds().allSatisfy {
                $0.applied == nil && $0.checked == nil && ($0.pause?.end ?? now) <= now
            }
    }
}
