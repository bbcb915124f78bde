import ArgumentParser

/// The exit statuses of `quakes`. Those from 64 up are from sysexits(3).
///
/// Documentation/commands.md lists the statuses of each command. The man pages repeat that table, and a test compares
/// the two. If a signal ends the program, a shell reports 128 plus the number of the signal: 130 for INT, 143 for TERM.
enum ExitStatus: Int32, CaseIterable, Sendable {
    /// Success, even when there is nothing new or the reader of the output has closed the pipe.
    case success = 0
    /// An unexpected error, a refused purge or undo, an interrupted run, or a failed `--exec` or `--exec-each` command.
    case failure = 1
    /// The token is no longer valid, or the history does not reach back to the requested state.
    case unusableToken = 3
    /// No rows (with `--fail-empty`), an unknown quake, transaction, consumer or feed, or no purge to undo.
    case noRows = 4
    /// With `--max-age`, the data is older, or no feed has been read.
    case stale = 5
    /// Invalid command line.
    case usage = 64
    /// A feed or file cannot be read or is not valid.
    case unusableFeed = 65
    /// There is no cache yet, or no feed has been read into it.
    case noCache = 66
    /// The server cannot be reached, fails, or rejects the request.
    case serverUnavailable = 69
    /// A disk or database error, a damaged cache, or a file that cannot be written: the output, a token file or a
    /// backup.
    case storageFailure = 74
    /// Another process is writing to the cache or reading as the same consumer, or the server asked clients to wait.
    case tryLater = 75
    /// The cache was created by a newer version or before the first release, or the file is not a cache.
    case unsupportedCache = 78

    var exitCode: ExitCode { ExitCode(rawValue) }
}
