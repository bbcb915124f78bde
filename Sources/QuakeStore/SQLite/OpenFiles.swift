import QuakeSystem

/// A database, its log, and the log's index. Connections see each other's commits only through the log and the index,
/// and SQLite removes neither of these two while a connection is open.
struct OpenFiles {
    let database: FileIdentity
    private let path: String
    private let logs: [(path: String, identity: FileIdentity)]

    /// The files of the cache at `path`; nil if the database does not exist.
    init?(_ path: String) {
        guard let database = FileIdentity(path) else { return nil }
        self.path = path
        self.database = database
        let location = FileLocation.resolved(path)
        logs = ["-wal", "-shm"].compactMap { suffix in FileIdentity(location + suffix).map { (location + suffix, $0) } }
    }

    /// Whether the path still leads to these files. A missing log proves nothing: the last connection removes it.
    var areUnreplaced: Bool {
        FileIdentity(path) == database
            && logs.allSatisfy { (FileIdentity($0.path) ?? $0.identity) == $0.identity }
    }
}
