import QuakeFeed
import QuakeHTTP
import QuakeModel
import QuakeOutput
import QuakeStore
import QuakeSystem

/// The text for an error: one sentence that says what happened, one that says what to do if anything can be done, and
/// the exit status. What happened to a cache, `StoreError` says itself; errors of feeds are in ErrorMessage+Feed.swift.
struct ErrorMessage {
    var what: String
    var remedy: String?
    var status: ExitStatus
    /// What only a developer understands; shown with `--verbose`.
    var detail: String?

    /// Whether nothing is printed: a reader that closes the pipe early, such as `head`, is not an error.
    var isSilent = false

    init(_ what: String, _ remedy: String? = nil, _ status: ExitStatus) {
        self.what = what
        self.remedy = remedy
        self.status = status
    }

    init(_ error: any Error) {
        switch error {
        case let error as StoreError: self.init(error.words, error.answer.remedy, error.answer.status)
        case let error as FeedError: self.init(error)
        case let error as OutputError: self.init(error)
        case let error as CommandError: self.init(error)
        default: self.init("Unexpected error: \(error).", nil, .failure)
        }
    }

    /// What to do about a damaged cache.
    fileprivate static let remedyForDamage =
        "`quakes restore` brings back a backup; if that fails, or without one, move the file away first."

    private init(_ error: OutputError) {
        switch error {
        case .closedPipe:
            self.init("The reader of the output has closed the pipe.", nil, .success)
            isSilent = true
        case .interrupted:
            self.init("The program was asked to end.", nil, .success)
            isSilent = true
        case .writeFailed(let errno):
            self.init(
                "The output could not be written (\(SystemError(errno).reason)).", "Is the disk full?", .storageFailure)
        }
    }

    private init(_ error: CommandError) {
        switch error {
        case .unknownFeed(let name, let suggestion):
            self.init(
                "There is no feed called \"\(name)\".",
                suggestion.map { "Did you mean \($0)?" }
                    ?? "A feed is significant, 4.5, 2.5, 1.0 or all, followed by _hour, _day, _week or _month.", .usage)
        case .unknownCommand(let name, let suggestion):
            self.init(
                "There is no command \"\(name)\".",
                suggestion.map { "Did you mean `\($0)`?" } ?? "`quakes --help` lists the commands.", .usage)
        case .neverFilled: self.init("No feed has been read yet.", "Run `quakes refresh`.", .noCache)
        case .unsupportedAddress(let address):
            self.init(
                "\(WebAddress.shortened(address)) is neither an http or https address nor a file.",
                "An address begins with http:// or https:// and names a host.", .usage)
        case .unknownQuake(let id, let nearest):
            self.init(
                "No quake in the cache has or had the id \(id).", nearest.map { "Did you mean \($0)?" }, .noRows)
        case .unselectableQuake(let id, let reason):
            self.init("\(id) cannot be selected: \(reason).", nil, .noRows)
        case .noCatalogue:
            self.init(
                "The cache holds no part of the catalogue that could be updated.",
                "Name one, such as `quakes backfill --since 1990 --min-mag 4.5`.", .usage)
        case .noDetails:
            self.init(
                "No quake of the cache was asked about yet.",
                "Name some, such as `quakes details --min-mag 6 --since 30d`.", .usage)
        case .noPurge:
            self.init(
                "The history contains no purge of quakes.", "Name a transaction; `quakes history` lists them.", .noRows)
        case .unsoundCache(let path, let findings):
            self.init(
                "\(path) is damaged: \(findings.counted("finding")).",
                ErrorMessage.remedyForDamage, .storageFailure)
        case .undoneAlready(let purge, let undo):
            self.init(
                "The last purge of quakes, transaction \(purge), was undone already, by transaction \(undo).",
                "`quakes undo \(undo)` purges them again.", .noRows)
        case .notCompacted(let reason):
            let cause = ErrorMessage(reason)
            // The purge has changed the cache: the error's "the cache is unchanged" would be wrong.
            let words = if case .diskFull(let path) = reason { "The disk of \(path) is full." } else { cause.what }
            self.init(
                "The purge is complete, but the file could not be compacted. \(words)",
                "`quakes purge --compact` tries again; it needs as much free space as the cache takes.", cause.status)
        case .stoppedHalfway(let reason):
            self.init(reason)
            // Earlier windows have changed the cache: the error's "the cache is unchanged" would be wrong.
            if case StoreError.diskFull(let path) = reason { what = "The disk of \(path) is full." }
            if remedy?.hasPrefix("The cache is unchanged") == true { remedy = nil }
        case .malformedToken(let text):
            self.init(
                "\"\(text.count > 60 ? text.prefix(60) + "…" : text)\" is not a token.",
                "Use a token that `quakes changes` or `quakes token` printed, or `beginning` or `now`.", .usage)
        case .unusableToken(let fault):
            self.init(
                "The token cannot be used: \(fault.words).", "`quakes token` prints a token of the present state.",
                .unusableToken)
        case .onlyPublished(let moment, let begins):
            let isDay = moment == Timestamp(iso8601: moment.dayWords + "T00:00Z")
            self.init(
                StoreError.beforeHistory(begins: begins).words,
                "`published:\(isDay ? moment.dayWords : moment.iso8601)` is the state that had been published by then.",
                .unusableToken)
        case .unknownConsumer(let name): self.init("There is no consumer \"\(name)\".", nil, .noRows)
        case .unknownSource(let name):
            self.init(
                "There is no feed, file or query \"\(WebAddress.shortened(name))\".",
                "`quakes status` names all of them.", .noRows)
        case .ambiguousSource(let name, let candidates):
            self.init(
                "\"\(name)\" may be any of \(candidates.joined(separator: ", ")).", "Give the whole address or path.",
                .usage)
        case .commandNotStarted(let reason): self.init("The command could not be started: \(reason).", nil, .failure)
        case .commandFailed(let ending):
            self.init(
                "The command \(ending.words), so the token was not moved.", "The next call delivers the same records.",
                .failure)
        case .tokenFile(let path, let reason):
            self.init("The token file \(path) cannot be used: \(reason).", nil, .storageFailure)
        case .outputFile(let path, let reason):
            self.init(
                "\(path) cannot be written: \(reason).", "Check the folder and its permissions, or name another file.",
                .storageFailure)
        }
    }

    /// The whole text.
    var text: String {
        remedy.map { "quakes: \(what) \($0)" } ?? "quakes: \(what)"
    }

    /// Writes the text on `stream`; with `--verbose` the detail too, with `--quiet` nothing about what a later run does
    /// by itself, because cron would mail it.
    func print(on stream: StandardStream, _ global: GlobalOptions? = nil) {
        guard !isSilent, !(global?.isQuiet == true && status == .tryLater) else { return }
        stream.writeLine(text)
        if global?.isVerbose == true, let detail { stream.writeLine("quakes: \(detail)") }
    }
}

/// Errors that the commands find themselves, beside those of the libraries.
enum CommandError: Error {
    case unknownFeed(String, suggestion: String?)
    case unknownCommand(String, suggestion: String?)
    case unsupportedAddress(String)
    case unknownQuake(String, nearest: String?)
    case unselectableQuake(String, reason: String)
    case malformedToken(String)
    case unusableToken(TokenFault)
    /// The state at `moment` is before the first transaction, which began at `begins`; but documents that the cache has
    /// read since tell what had been published by then.
    case onlyPublished(_ moment: Timestamp, begins: Timestamp?)
    case unknownConsumer(String)
    case unknownSource(String)
    case ambiguousSource(String, candidates: [String])
    case commandNotStarted(reason: String)
    case commandFailed(ChildProcess.Ending)
    case noPurge
    /// The cache is empty because no document was ever read into it.
    case neverFilled
    case noCatalogue
    case noDetails
    /// A backfill failed after it had kept windows.
    case stoppedHalfway(any Error)
    case unsoundCache(path: String, findings: Int)
    case undoneAlready(purge: TransactionNumber, undo: TransactionNumber)
    /// The file could not be compacted after a purge, which is committed.
    case notCompacted(StoreError)
    case tokenFile(path: String, reason: String)
    case outputFile(path: String, reason: String)
}

extension StoreError {
    /// What to do about it, if anything can be done, and the exit status.
    fileprivate var answer: (remedy: String?, status: ExitStatus) {
        switch self {
        case .noCache: ("Create one with `quakes refresh`.", .noCache)
        case .notACache: ("Name another file.", .unsupportedCache)
        case .otherSchema(_, let found, let supported) where found < supported:
            ("Move it away, then make a new one with `quakes refresh` and `quakes backfill`.", .unsupportedCache)
        case .otherSchema: ("Upgrade quakes, or name another file with --db.", .unsupportedCache)
        case .cannotOpen: ("Check the path and its permissions.", .storageFailure)
        case .busy: ("Try again later.", .tryLater)
        case .refreshing: ("Try again later; `quakes refresh --wait` waits for it.", .tryLater)
        case .backfilling: ("Try again when it has ended.", .tryLater)
        case .cannotLock: ("Check whether its file system supports locks.", .storageFailure)
        case .diskFull: ("Free some space and try again.", .storageFailure)
        case .foreignLog(let path):
            (
                "If you restored a backup, remove \(path)-wal and \(path)-shm; see \"After an accident\" in "
                    + "reliability.md.", .storageFailure
            )
        case .replaced: ("Repeat the command; `quakes verify` checks the file that is there now.", .storageFailure)
        case .noLog:
            ("Let its owner run `quakes status` on it once, or read a backup of it (`quakes backup`).", .storageFailure)
        case .fileExists: ("Name another file, or replace it with --force.", .storageFailure)
        case .backupInUse: ("Name another file.", .storageFailure)
        case .otherCache:
            ("Use --force to replace this cache by it, or name another file with --db.", .storageFailure)
        case .unsound(let path, _): ("`quakes verify --db \(path.shellWord)` names all that is wrong.", .storageFailure)
        case .readOnly:
            (
                "Check their permissions; to read changes, --token-file keeps your place without writing there.",
                .storageFailure
            )
        case .inputOutput: ("Check the disk, and the largest file allowed (ulimit -f).", .storageFailure)
        case .corrupt: (ErrorMessage.remedyForDamage, .storageFailure)
        case .statement: (nil, .storageFailure)
        case .token: ("`quakes changes` without --on-expired fail resyncs from the present state.", .unusableToken)
        case .generationExpired: ("`quakes status` shows how far back the history reaches.", .unusableToken)
        case .beforeHistory: ("`beginning` is the state before the first transaction.", .unusableToken)
        case .beforeFirstSnapshot: ("`quakes history` lists when each was published.", .unusableToken)
        case .unreadConsumer: ("Purge less, let the consumer catch up, or use --force.", .failure)
        case .cannotUndo: ("`quakes show` lists the changes of a quake.", .failure)
        case .noTransaction: (nil, .noRows)
        case .unstorable, .unstorableText, .idTaken, .gone, .otherQuake, .contextState: (nil, .failure)
        }
    }
}

extension ChildProcess.Ending {
    /// How the process ended, as the end of a sentence.
    var words: String {
        switch self {
        case .exited(let status): "exited with status \(status)"
        case .signalled(let number): "was ended by signal \(number)"
        }
    }
}
