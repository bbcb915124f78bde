import QuakeStore
import QuakeSystem

extension StoreError {
    /// Whether a retry may succeed, for example once the disk has space, another process has finished writing, or the
    /// cache exists.
    var isTransient: Bool { [.storageFailure, .tryLater, .noCache].contains(remedyAndStatus.status) }

    /// The error as one sentence. Unlike ``words``, does not mention the caller's own contexts.
    var what: String {
        switch self {
        case .busy(let path): "\(path) is locked: another process is using it."
        case .readOnly(let path):
            FileLocation.isOnReadOnlyDisk(path)
                ? "\(path) is on a read-only file system." : "\(path) or its folder is not writable."
        case .cannotOpen(let path, "it is a directory"): "\(path) is a directory."
        // The command itself compares the path with the cache.
        case .backupInUse(let path): "\(path) cannot be overwritten: it is a database in use."
        default: words
        }
    }

    /// The remedy (nil if there is none) and the exit status.
    var remedyAndStatus: (remedy: String?, status: ExitStatus) {
        switch self {
        case .noCache: ("Create one with `quakes refresh`.", .noCache)
        case .notACache: ("Choose another file.", .unsupportedCache)
        case .otherSchema(_, let found, let supported) where found < supported:
            ("Ask its owner to run a command that reads it, such as `quakes status`.", .unsupportedCache)
        case .otherSchema: ("Upgrade quakes, or choose another file.", .unsupportedCache)
        case .cannotOpen(_, "it is a directory"): ("Choose a file.", .storageFailure)
        case .cannotOpen: ("Check the path and its permissions.", .storageFailure)
        case .busy(let path): ("Try again later\(users(of: path, after: "; it is open in")).", .tryLater)
        case .backfilling: ("Try again when it has finished.", .tryLater)
        case .diskFull: ("Free some space and try again.", .storageFailure)
        case .foreignLog(let path):
            (
                "Stop the programs that have the cache open\(users(of: path, after: ":")). Then move \(path)-wal and "
                    + "\(path)-shm away.", .storageFailure
            )
        case .replaced: ("Run the command again; `quakes verify` checks the file that is there now.", .storageFailure)
        case .noLog:
            (
                "Ask its owner to run `quakes status` on it once, or read a copy made by `quakes backup`.",
                .storageFailure
            )
        case .fileExists: ("Choose another file, or overwrite it with --force.", .storageFailure)
        case .backupInUse: ("Choose another file.", .storageFailure)
        case .otherCache: ("Use --force to restore it anyway, or choose another cache with --db.", .storageFailure)
        case .unsound(let path, _): ("`quakes verify --db \(path.shellWord)` lists the problems.", .storageFailure)
        case .readOnly(let path) where FileLocation.isOnReadOnlyDisk(path):
            ("Check the disk: after an error, it may have been mounted again as read-only.", .storageFailure)
        case .readOnly: ("Check the permissions of both.", .storageFailure)
        case .inputOutput: ("Check the disk and the file size limit (ulimit -f).", .storageFailure)
        case .corrupt: (CommandError.remedyForDamage, .storageFailure)
        case .statement: (nil, .storageFailure)
        case .token: ("`quakes token` prints a token for the current state.", .unusableToken)
        case .generationExpired: ("`quakes status` shows how far back the history goes.", .unusableToken)
        case .beforeHistory: ("Use `beginning` for the state before the first transaction.", .unusableToken)
        case .beforeFirstSnapshot: ("`quakes history` shows when each copy of a feed was published.", .unusableToken)
        case .unreadConsumer: ("Purge less history, wait for the consumer to catch up, or use --force.", .failure)
        case .cannotUndo: ("`quakes show` lists the changes to a quake.", .failure)
        case .noTransaction: ("`quakes history` lists the transactions.", .noRows)
        // The text (a name) or the number comes from the command line.
        case .unstorableText, .outOfRange: (nil, .usage)
        case .unstorable, .idTaken, .gone, .merged, .otherQuake, .conflict, .contextState: (nil, .failure)
        }
    }
}

/// Returns `words` and the names of the other programs that have the cache at `path` open; empty if none are found.
private func users(of path: String, after words: String) -> String {
    let names = LockHolders.names(ofDatabaseAt: FileLocation.resolved(path))
    return names.isEmpty ? "" : "\(words) \(names.joined(separator: ", "))"
}
