/// The exit statuses of `quakes`. Those from 64 on are taken from sysexits(3).
///
/// For a program that a signal has ended, a shell reports 128 plus the number of the signal: 130 for INT, 143 for TERM.
enum ExitStatus: Int32, CaseIterable, Sendable {
    case success = 0
    case failure = 1
    case unusableToken = 3
    case noRows = 4
    case stale = 5
    case usage = 64
    case unusableFeed = 65
    case noCache = 66
    case serverUnavailable = 69
    case storageFailure = 74
    case tryLater = 75
    case unsupportedCache = 78

    /// When the program ends with this status. Every table of exit codes uses this text; a test compares them.
    var meaning: String {
        switch self {
        case .success: "success, also when there is nothing new or the reader of the output has closed the pipe"
        case .failure:
            """
            unexpected error; a purge would delete history that a consumer has not read; an undo would overwrite \
            later changes; the command of --exec failed
            """
        case .unusableToken:
            """
            the token cannot be used (changes resyncs instead, except with --on-expired fail), or the history of the \
            requested state was purged
            """
        case .noRows:
            """
            no rows, with --fail-empty; or no such quake, transaction or consumer; or nothing to undo
            """
        case .stale: "the cache is older than --max-age"
        case .usage: "invalid command line"
        case .unusableFeed: "the feed cannot be read or is not valid; the cache is unchanged"
        case .noCache: "there is no cache yet"
        case .serverUnavailable: "the server cannot be reached or fails; the cache is unchanged"
        case .storageFailure: "disk or database error, or the token file cannot be replaced"
        case .tryLater:
            "try again later: another process is writing to the cache, or the server asked to wait"
        case .unsupportedCache: "the cache was created by a newer version, or the file is not a cache"
        }
    }
}
