/// How `quakes` ends, as a number a script can test. From 64 on they are those of sysexits(3).
///
/// A program ended by a signal reports 128 and the signal's number, by the shell's custom: 130 for INT, 143 for TERM.
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

    /// When the program ends this way: the words of every table of exit codes.
    var meaning: String {
        switch self {
        case .success: "done; nothing new and a closed pipe are success too"
        case .failure:
            """
            something failed that was not foreseen; a purge would pass what a consumer has not read; an undo would \
            overwrite later changes; the command of --exec failed
            """
        case .unusableToken:
            """
            the token cannot be followed (changes starts anew instead, but for --on-expired fail); or the state asked \
            for is gone from the history
            """
        case .noRows:
            """
            no rows, and --fail-empty was given; or there is no such quake, transaction or consumer, and nothing to \
            undo
            """
        case .stale: "the cache is older than --max-age"
        case .usage: "the command line is not understood"
        case .unusableFeed: "the feed cannot be read or understood; the cache is untouched"
        case .noCache: "there is no cache yet"
        case .serverUnavailable: "the server cannot be reached or fails; the cache is untouched"
        case .storageFailure: "the disk or the database failed, or a token file cannot be replaced"
        case .tryLater:
            "try later: another refresh or another writer is at work on the cache, or the server asked to wait"
        case .unsupportedCache: "the cache was made by a newer version, or the file is not a cache"
        }
    }
}
