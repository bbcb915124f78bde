/// The exit statuses of `quakes`. Those from 64 on are taken from sysexits(3).
///
/// Documentation/commands.md says when each command ends with which; the man pages repeat the table, and a test
/// compares them. For a program that a signal has ended, a shell reports 128 plus the number of the signal: 130
/// for INT, 143 for TERM.
enum ExitStatus: Int32, CaseIterable, Sendable {
    /// Success, even when there is nothing new or the reader of the output has closed the pipe.
    case success = 0
    /// An unexpected error, or a refused purge, undo or `--exec` command.
    case failure = 1
    /// The token is no longer valid, or the history does not reach back to the requested state.
    case unusableToken = 3
    /// No rows with `--fail-empty`; no such quake, transaction, consumer or feed; nothing to undo.
    case noRows = 4
    /// The cache is older than `--max-age`.
    case stale = 5
    /// Invalid command line.
    case usage = 64
    /// The feed cannot be read or is not valid.
    case unusableFeed = 65
    /// There is no cache yet, or no feed has been read into it.
    case noCache = 66
    /// The server cannot be reached or fails.
    case serverUnavailable = 69
    /// Disk or database error; the cache is damaged; or the token file, a backup or the file of a map cannot be
    /// written.
    case storageFailure = 74
    /// Another process is writing to the cache, or the server asked clients to wait.
    case tryLater = 75
    /// The cache was created by a newer version or before the first release, or the file is not a cache.
    case unsupportedCache = 78
}
