import QuakeSystem

/// A database with its log and the log's index, without which no connection sees the commits of others. SQLite removes
/// neither while a connection is open.
struct OpenFiles {
    let database: FileIdentity
    private let path: String
    private let logs: [(path: String, identity: FileIdentity)]

    /// The files of the cache at `path`; nil if it does not exist.
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
