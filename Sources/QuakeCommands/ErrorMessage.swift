import Glibc
import QuakeMirror
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
        (self.what, self.remedy, self.status) = (what, remedy, status)
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

    fileprivate static let remedyForDamage =
        "If it is a backup, use another one. If it is the cache, move the file away, then restore a backup with "
        + "`quakes restore`, or start a new cache."

    private init(_ error: OutputError) {
        switch error {
        case .closedPipe:
            self.init("The output pipe was closed.", nil, .success)
            isSilent = true
        case .interrupted:
            self.init("Terminated.", nil, .success)
            isSilent = true
        case .writeFailed(let errno):
            self.init("Cannot write the output (\(SystemError(errno).reason)).", "Is the disk full?", .storageFailure)
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
                "\(WebAddress.shortened(address)) is neither an http(s) URL nor a file.",
                "A URL begins with http:// or https:// followed by a host name.", .usage)
        case .unknownQuake(let id, let nearest):
            self.init(
                "No quake in the cache has the current or former id \(id).", nearest.map { "Did you mean \($0)?" },
                .noRows)
        case .noSnapshot(let first):
            self.init(
                "Both states need a snapshot; the first was published at \(first.momentWords).",
                "`quakes history` lists their publication times.", .unusableToken)
        case .notInState(let id, let first):
            self.init(
                "\(id) is not in this state; it came later.",
                first.map { "The first snapshot with it was published at \($0.momentWords)." }, .noRows)
        case .deletedQuake(let id):
            self.init("\(id) was deleted, so there is nothing to fetch.", "`quakes show \(id)` shows it.", .noRows)
        case .unselectableQuake(let id, let reason): self.init("\(id) cannot be selected: \(reason).", nil, .noRows)
        case .noCatalog:
            self.init(
                "There is nothing to update: no part of the catalog has been fetched yet.",
                "Fetch one first, for example with `quakes backfill --since 1990 --min-mag 4.5`.", .usage)
        case .noDetails:
            self.init(
                "There is nothing to update: no details have been fetched yet.",
                "Fetch some first, for example with `quakes details --min-mag 6 --since 30d`.", .usage)
        case .noPurge:
            self.init(
                "There is no purge of quakes in the history.",
                "To undo another transaction, give its number; `quakes history` lists them.", .noRows)
        case .unsoundCache(let path, let findings):
            self.init(
                "\(path) is damaged: \(findings.counted("finding")).", ErrorMessage.remedyForDamage, .storageFailure)
        case .undoneAlready(let purge, let undo):
            self.init(
                "The last purge of quakes, transaction \(purge), has already been undone by transaction \(undo).",
                "`quakes undo \(undo)` purges them again.", .noRows)
        case .notCompacted(let reason):
            let cause = ErrorMessage(reason)
            // The purge has changed the cache: the error's "the cache is unchanged" would be wrong.
            let words =
                if case .diskFull(let path) = reason { "No space left on the disk of \(path)." } else { cause.what }
            self.init(
                "The purge succeeded, but the file could not be compacted. \(words)",
                "Retry with `quakes purge --compact`, which needs as much free space as the size of the cache.",
                cause.status)
        case .stoppedHalfway(let reason):
            self.init(reason)
            // Earlier windows have changed the cache: the error's "the cache is unchanged" would be wrong.
            if case StoreError.diskFull(let path) = reason { what = "No space left on the disk of \(path)." }
            if remedy?.hasPrefix("The cache is unchanged") == true { remedy = nil }
        case .malformedToken(let text):
            self.init(
                "\"\(text.count > 60 ? text.prefix(60) + "…" : text)\" is not a token.",
                "Use a token printed by `quakes changes` or `quakes token`, or `beginning` or `now`.", .usage)
        case .malformedTokenFile(let path):
            self.init(
                "The file \(path) does not contain a token.",
                "Choose another file, or delete this one to start from the beginning.", .usage)
        case .unusableToken(let fault):
            self.init(
                "The token is no longer valid: \(fault.words).", "`quakes token` prints a token for the current state.",
                .unusableToken)
        case .unusableStart(let fault, .some(let saved), let command):
            self.init(
                "The \(saved.words) is no longer valid: \(fault.words). --exec-each cannot resync.",
                "To skip everything so far, run `\(command.line("changes")) \(saved.option) --ack now`.", .unusableToken
            )
        case .unusableStart(let fault, nil, _):
            self.init(
                "Cannot start there: \(fault.words). --exec-each cannot resync.",
                "`quakes token` prints a token for the current state.", .unusableToken)
        case .onlyPublished(let moment, let begins):
            let isDay = moment == Timestamp(iso8601: moment.dayWords + "T00:00Z")
            self.init(
                StoreError.beforeHistory(begins: begins).words,
                "`published:\(isDay ? moment.dayWords : moment.iso8601)` shows what USGS had published by then.",
                .unusableToken)
        case .unknownConsumer(let name): self.init("There is no consumer \"\(name)\".", nil, .noRows)
        case .unknownSource(let name):
            self.init(
                "There is no feed, file or query \"\(WebAddress.shortened(name))\".",
                "`quakes status` lists them all.", .noRows)
        case .commandNotStarted(let reason): self.init("Cannot start the command: \(reason).", nil, .failure)
        case .commandFailed(let ending):
            self.init(
                "The command \(ending.words); the saved token was not advanced.",
                "The same records will be delivered next time.", .failure)
        case .commandOfQuakeFailed(let id, let ending):
            self.init(
                "The command \(ending.words) for \(id).",
                "The next call delivers this change again; to skip it, make the command exit with status 0.", .failure)
        case .positionNotSaved(let command, let reason):
            let subject = "The command ran\(command.quake.map { " for \($0)" } ?? "")"
            self.init(
                "\(reason.words) \(subject), but its position could not be saved; it may run again.", nil,
                reason.answer.status)
        case .tokenFile(let path, let reason):
            self.init("Cannot use the token file \(path): \(reason).", nil, .storageFailure)
        case .outputFile(let path, _, ENOSPC?), .outputFile(let path, _, EDQUOT?):
            self.init("No space left on the disk of \(path).", "Free some space and try again.", .storageFailure)
        case .outputFile(let path, let reason, _):
            self.init(
                "Cannot write \(path): \(reason).", "Check the folder's permissions, or choose another file.",
                .storageFailure)
        }
    }

    var text: String { remedy.map { "quakes: \(what) \($0)" } ?? "quakes: \(what)" }

    /// Writes the text on `stream`; with `--verbose` the detail too, with `--quiet` nothing about what a later run does
    /// by itself, because cron would mail it, unless that has lasted long.
    func print(on stream: StandardStream, _ global: GlobalOptions? = nil, hasLasted: @autoclosure () -> Bool = false) {
        guard !isSilent, !(global?.isQuiet == true && status == .tryLater) || hasLasted() else { return }
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
    /// `diff` was asked for a state that had been published before the first snapshot.
    case noSnapshot(first: Timestamp)
    /// The past state that was asked for has no such quake, but a later one has. `first`: when it was published.
    case notInState(String, first: Timestamp?)
    /// `details` was asked for a quake that was deleted.
    case deletedQuake(String)
    case unselectableQuake(String, reason: String)
    case malformedToken(String)
    /// The file of `--token-file` has something else in it.
    case malformedTokenFile(String)
    case unusableToken(TokenFault)
    /// `--exec-each` cannot start at the token, which the command can replace if it was saved.
    case unusableStart(TokenFault, (words: String, option: String)?, CacheCommand)
    /// The state at `moment` is before the first transaction, which began at `begins`; but documents that the cache has
    /// read since tell what had been published by then.
    case onlyPublished(_ moment: Timestamp, begins: Timestamp?)
    case unknownConsumer(String)
    case unknownSource(String)
    case commandNotStarted(reason: String)
    case commandFailed(ChildProcess.Ending)
    /// The command of `--exec-each` failed for the quake with this id.
    case commandOfQuakeFailed(id: String, ChildProcess.Ending)
    /// The position of a consumer could not be saved after a command that had succeeded.
    case positionNotSaved(after: FinishedCommand, StoreError)
    case noPurge
    /// The cache is empty because no document was ever read into it.
    case neverFilled
    case noCatalog, noDetails
    /// A backfill failed after it had kept windows.
    case stoppedHalfway(any Error)
    case unsoundCache(path: String, findings: Int)
    case undoneAlready(purge: TransactionNumber, undo: TransactionNumber)
    /// The file could not be compacted after a purge, which is committed.
    case notCompacted(StoreError)
    case tokenFile(path: String, reason: String)
    case outputFile(path: String, reason: String, code: Int32?)
}

extension StoreError {
    /// Whether the same may succeed later: after a full disk, while another process is writing, or without a cache.
    var mayPass: Bool { [.storageFailure, .tryLater, .noCache].contains(answer.status) }

    /// What to do about it, if anything can be done, and the exit status.
    fileprivate var answer: (remedy: String?, status: ExitStatus) {
        switch self {
        case .noCache: ("Create one with `quakes refresh`.", .noCache)
        case .notACache: ("Choose another file.", .unsupportedCache)
        case .otherSchema: ("Upgrade quakes, or choose another file with --db.", .unsupportedCache)
        case .cannotOpen: ("Check the path and its permissions.", .storageFailure)
        case .busy(let path): ("Try again later\(users(of: path, after: "; it is open in")).", .tryLater)
        case .backfilling: ("Try again when it has finished.", .tryLater)
        case .cannotLock: ("Check that its file system supports locks.", .storageFailure)
        case .diskFull: ("Free some space and try again.", .storageFailure)
        case .foreignLog(let path):
            (
                "Stop the programs that have it open\(users(of: path, after: ":")). Then move \(path)-wal and "
                    + "\(path)-shm away; see \"After an accident\" in reliability.md.", .storageFailure
            )
        case .replaced: ("Run the command again; `quakes verify` checks the file that is there now.", .storageFailure)
        case .noLog:
            (
                "Ask its owner to run `quakes status` on it once, or read a copy made by `quakes backup`.",
                .storageFailure
            )
        case .fileExists: ("Choose another file, or overwrite it with --force.", .storageFailure)
        case .backupInUse: ("Choose another file.", .storageFailure)
        case .otherCache: ("Use --force to restore it anyway, or choose another file with --db.", .storageFailure)
        case .unsound(let path, _): ("`quakes verify --db \(path.shellWord)` lists every problem.", .storageFailure)
        case .readOnly:
            (
                "Check their permissions; `quakes changes --token-file` can read changes without writing to the cache.",
                .storageFailure
            )
        case .inputOutput: ("Check the disk and the file size limit (ulimit -f).", .storageFailure)
        case .corrupt: (ErrorMessage.remedyForDamage, .storageFailure)
        case .statement: (nil, .storageFailure)
        case .token: ("Without --on-expired fail, `quakes changes` resyncs from the current state.", .unusableToken)
        case .generationExpired: ("`quakes status` shows how far back the history goes.", .unusableToken)
        case .beforeHistory: ("`beginning` is the state before the first transaction.", .unusableToken)
        case .beforeFirstSnapshot: ("`quakes history` lists their publication times.", .unusableToken)
        case .unreadConsumer: ("Purge less, wait for the consumer to catch up, or use --force.", .failure)
        case .cannotUndo: ("`quakes show` lists the changes of a quake.", .failure)
        case .noTransaction: (nil, .noRows)
        // A name from the command line.
        case .unstorableText: (nil, .usage)
        case .unstorable, .idTaken, .gone, .merged, .otherQuake, .contextState: (nil, .failure)
        }
    }
}

/// The other programs that have the cache at `path` open, after `words`; nothing if none is seen.
private func users(of path: String, after words: String) -> String {
    let names = LockHolders.names(ofDatabaseAt: FileLocation.resolved(path))
    return names.isEmpty ? "" : "\(words) \(names.joined(separator: ", "))"
}

extension ChildProcess.Ending {
    /// How the process ended, as the end of a sentence.
    var words: String {
        switch self {
        case .exited(let status): "exited with status \(status)"
        case .signalled(let number): "was killed by signal \(number)"
        }
    }
}
