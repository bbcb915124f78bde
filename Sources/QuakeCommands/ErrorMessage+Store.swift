import QuakeModel
import QuakeStore

extension ErrorMessage {
    /// The words for what can go wrong with the cache.
    init(_ error: StoreError) {
        switch error {
        case .noCache(let path):
            self.init("There is no cache at \(path).", "Make one with `quakes refresh`.", .noCache)
        case .notACache(let path):
            self.init("\(path) is not a cache of quakes.", "Name another file with --db.", .unsupportedCache)
        case .newerSchema(let path, let found, let supported):
            self.init(
                "\(path) was made by a newer version of quakes (layout \(found), this one knows \(supported)).",
                "Upgrade quakes, or name another file with --db.", .unsupportedCache)
        case .cannotOpen(let path, let reason):
            self.init("\(path) cannot be opened: \(reason).", "Check the path and its permissions.", .storageFailure)
        case .busy(let path):
            self.init("Another process is writing to \(path).", "Try again.", .tryLater)
        case .refreshing(let path):
            self.init("Another refresh is working on \(path).", "Try again, or wait for it with --wait.", .tryLater)
        case .cannotLock(let path, let reason):
            self.init(
                "\(path) cannot be locked: \(reason).", "Check whether its file system supports locks.", .storageFailure
            )
        case .diskFull(let path):
            self.init(
                "The disk that holds \(path) is full; the cache is as it was.", "Make room and try again.",
                .storageFailure)
        case .readOnly(let path):
            self.init(
                "\(path) or its folder cannot be written, which even reading needs.",
                "Check their permissions, or read a copy.", .storageFailure)
        case .inputOutput(let path, let code, let reason):
            self.init(
                "Reading or writing \(path) failed (\(reason), code \(code)).", "Check the disk.", .storageFailure)
        case .corrupt(let path, let reason):
            self.init(
                "\(path) is damaged: \(reason).", "Restore a backup, or move it away and refresh.", .storageFailure)
        case .statement(let path, let code, let reason):
            self.init("SQLite refused to work on \(path): \(reason) (code \(code)).", nil, .storageFailure)
        case .token(let fault):
            self.init(
                "The token cannot be followed: \(fault.words).",
                "`quakes changes` without --on-expired fail answers it with a full resync.", .unusableToken)
        case .generationExpired(let floor):
            self.init(
                "That state is gone: history up to transaction \(floor) was purged.",
                "`quakes status` shows how far back the history reaches.", .unusableToken)
        case .unreadConsumer(let name, let number):
            self.init(
                "The consumer \"\(name)\" has read only up to transaction \(number).",
                "Purge less, let it catch up, or use --force.", .failure)
        case .cannotUndo(let transaction, let quakes):
            self.init(
                "Transaction \(transaction) cannot be undone: \(quakes.prefix(3).joined(separator: ", ")) changed since.",
                "`quakes show` tells how.", .failure)
        case .noTransaction(let number):
            self.init("There is no transaction \(number) in the history that is kept.", nil, .noRows)
        case .contextState(let reason): self.init("The cache was used in the wrong order: \(reason).", nil, .failure)
        }
    }
}

extension TokenFault {
    /// What is wrong, as the end of a sentence.
    var words: String {
        switch self {
        case .expired: "the history after it was purged"
        case .foreign: "it belongs to another cache"
        case .future: "this cache is older than it, perhaps a restored backup"
        case .forked: "this cache went its own way after it was copied"
        }
    }
}
