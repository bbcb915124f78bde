import Glibc
import QuakeModel
import QuakeSystem

extension QuakeContext {
    /// Removes the file of a cache in which nothing was kept, unless another program has it open. The context is not
    /// used any more then.
    ///
    /// A server's wish not to be asked for a while counts as kept.
    package func discardIfUnused() throws {
        // SQLite gives the log up only where no other connection has the file open.
        guard try isUnused(), try connection.first("PRAGMA journal_mode = DELETE", read: { $0.text(0) }) == "delete"
        else { return }
        try connection.execute("BEGIN EXCLUSIVE")
        // Whoever opens the file from here on finds it locked, and at its first write that it is gone.
        if try isUnused() { unlink(FileLocation.resolved(cache.path)) }
        try connection.execute("COMMIT")
    }

    private func isUnused() throws -> Bool {
        let now = cache.configuration.now()
        return try head().number == 0 && floor().number == 0 && consumers().isEmpty && claims().isEmpty
            && interruptedQuestions().isEmpty
            && feeds().allSatisfy { $0.applied == nil && $0.checked == nil && ($0.pause?.end ?? now) <= now }
    }
}
