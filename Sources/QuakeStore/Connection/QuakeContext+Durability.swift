import GRDB
import Glibc
import SQLiteSwitches

extension QuakeContext {
    /// Runs `body`, which keeps something that a power cut may take back, without waiting for the disk.
    ///
    /// Need: most refreshes find nothing new and note only when they asked; five waits for the disk were a third of their
    /// time, and wear out a memory card. Choice: the note goes into the write-ahead log, which SQLite reads only as far as it is
    /// whole. There it stays until a context closes that changed the cache, or until the log has grown. The file itself is complete
    /// without it. Price: the log (`-wal`, `-shm`) lies beside the cache meanwhile.
    func withoutWaitingForDisk<Success>(_ body: () throws -> Success) throws -> Success {
        guard depth == 0 else { return try body() }
        let hadCommitted = hasCommitted
        try database { try $0.execute(sql: "PRAGMA synchronous = NORMAL") }
        let outcome = Result(catching: body)
        try database { try $0.execute(sql: Connection.waitForDisk) }
        hasCommitted = hadCommitted
        if !hadCommitted { try checkpointAtClose(logSize > QuakeContext.largestLog) }
        return try outcome.get()
    }

    /// From now on the log must be moved into the file when this context closes.
    func noteCommit() throws {
        guard !hasCommitted else { return }
        hasCommitted = true
        try checkpointAtClose(true)
    }

    private func checkpointAtClose(_ isOn: Bool) throws {
        try database { db in
            let code = sqlite_switch_checkpoint_on_close(db.sqliteConnection, isOn ? 1 : 0)
            guard code == 0 else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
        }
    }

    /// About sixty notes.
    private static let largestLog = 256 << 10

    private var logSize: Int {
        var status = stat()
        return stat(connection.path + "-wal", &status) == 0 ? Int(status.st_size) : 0
    }
}
