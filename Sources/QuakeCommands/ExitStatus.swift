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

    /// When the program ends this way, in one sentence.
    var meaning: String {
        switch self {
        case .success: "Done; nothing new and a closed pipe are success too."
        case .failure: "Something failed that was not foreseen."
        case .unusableToken:
            "The token is expired, foreign, future or forked, or the state asked for is gone from the history."
        case .noRows: "No rows matched, and --fail-empty was given."
        case .stale: "The cache is older than --max-age allows."
        case .usage: "The command line is not understood."
        case .unusableFeed: "The feed is not understood; the cache is untouched."
        case .noCache: "There is no cache yet."
        case .serverUnavailable: "The server cannot be reached or fails; the cache is untouched."
        case .storageFailure: "The disk or the database failed."
        case .tryLater: "Another refresh holds the lock, or the server asked to wait."
        case .unsupportedCache: "The cache was made by a newer version, or the file is not a cache."
        }
    }
}
