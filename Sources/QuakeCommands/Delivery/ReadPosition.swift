import QuakeStore
import QuakeSystem

/// The saved position of a reader in the history.
///
/// The position advances only after all output was written without error. If the reader dies or closes the pipe, the
/// old position remains, and the next delivery repeats the records (at-least-once delivery).
final class ReadPosition {
    enum Storage {
        /// The cache, under the name of the consumer. The process also remembers the position, in case a cache without
        /// this consumer replaces this one.
        case consumer(String)
        /// The file at a path.
        case file(String)
        /// Only this process: for `watch` without a consumer.
        case process
    }

    /// A position up to which a reader has received everything.
    struct Receipt {
        var token: HistoryToken
        /// The last change received from the transaction after `token`; nil if no change of that transaction was
        /// received.
        var lastChange: ChangeID?
        /// The command that has received the changes, if any. If saving fails, the error warns that the command may run
        /// again.
        var command: FinishedCommand?
    }

    /// A command of `--exec` or `--exec-each` that succeeded.
    struct FinishedCommand {
        /// The id of the quake for which the command ran; nil for `--exec`, which receives all records.
        var quake: String?
    }

    let storage: Storage
    /// Whether the position is saved after a delivery. If so, the next token need not be printed.
    let savesAfterDelivery: Bool
    /// Whether the last start was at the beginning of the history, because no position had been saved.
    private(set) var startedAtBeginning = false
    /// The last position saved by this process.
    private var received: Receipt?
    /// The position after a command that succeeded, if the cache could not save it.
    private var unsaved: Receipt?

    init(_ storage: Storage, savesAfterDelivery: Bool = true) {
        self.storage = storage
        self.savesAfterDelivery = savesAfterDelivery
    }

    var access: StoreConfiguration.Access {
        if case .consumer = storage, savesAfterDelivery { .writing } else { .reading }
    }

    /// A description of the saved token, the option that refers to it, and a clause that says that there is none; nil
    /// if only this process keeps the position.
    var saved: (words: String, option: String, ifMissing: String)? {
        switch storage {
        case .consumer(let name):
            (
                "saved token of \"\(name)\"", "--consumer \(name.shellWord)",
                "the consumer \"\(name)\" has not read any changes yet"
            )
        case .file(let path):
            ("token in \(path)", "--token-file \(path.shellWord)", "\(path) does not exist yet")
        case .process: nil
        }
    }

    /// Returns the position to start from. This may write to the cache, so it must not be called inside a snapshot.
    ///
    /// - Parameters:
    ///   - startsNow: Whether a new reader starts with the next change instead of with the whole history.
    ///   - reporter: Receives a remark if the reader is new.
    /// - Throws: ``CommandError/neverFilled`` if a new reader starts now but the cache is still empty.
    func start(
        in context: QuakeContext, startsNow: Bool = false, _ reporter: Reporter
    ) throws -> HistoryDescriptor.Start {
        startedAtBeginning = false
        // Run no other command before this position is saved. Otherwise, if the disk is full, the same command would
        // run again every minute.
        if let receipt = unsaved.take() { try save(receipt, in: context) }
        switch storage {
        case .consumer(let name):
            if let consumer = try context.history.consumer(named: name) {
                guard let token = consumer.token else { throw TokenArgument.malformed(consumer.tokenText) }
                return .token(token)
            }
        case .file(let path):
            if let text = try TokenFile.read(path) {
                do {
                    return .token(try TokenArgument.resolve(text, in: context))
                } catch is CommandError { throw TokenFile.malformed(path) }
            }
        case .process: break
        }
        if let received { return .token(received.token) }
        startedAtBeginning = !startsNow
        let start = startsNow ? .token(try savePresent(in: context)) : HistoryDescriptor.Start.transaction(.zero)
        if let saved {
            let words = startsNow ? "starting with the next change" : "starting at the beginning of the history"
            reporter.remark("\(saved.ifMissing); \(words)")
        }
        return start
    }

    /// Saves and returns the current token, so that later commits are delivered even if the first delivery fails.
    /// Throws if the cache is still empty, because the quakes of the first document would then be delivered as changes.
    private func savePresent(in context: QuakeContext) throws -> HistoryToken {
        try context.requireFilled()
        let head = try context.history.currentToken()
        try save(Receipt(token: head), in: context)
        return head
    }

    /// Returns the last change delivered from the transaction after this position; nil if there is none.
    func lastChange(in context: QuakeContext) throws -> ChangeID? {
        try consumer(in: context).map(\.lastChange) ?? received?.lastChange
    }

    /// Moves a reader whose token is unusable to the position from which to resume, so that no resync is needed.
    /// Returns the new token, and a sentence about changes that the reader may have missed. Unless the cache was
    /// replaced, the reader gets all unread changes that the history still contains.
    func resume(in context: QuakeContext) throws -> (token: HistoryToken, words: String) {
        let history = context.history
        let head = try history.currentToken()
        let floor = try history.floor().number
        let consumer = try consumer(in: context)
        let old = consumer.map(\.token) ?? received?.token
        let read = consumer?.number ?? received?.token.number
        // A consumer has a token of another cache only after a restore, which has adapted the consumer's transaction
        // number to this history.
        guard let old, let read, consumer != nil || old.storeID == head.storeID else {
            return (try savePresent(in: context), "The cache was replaced; continuing from its current state.")
        }
        guard let fault = try history.fault(of: old) else {
            return (old, "The cache was replaced; continuing after transaction \(old.number).")
        }
        let token = try history.token(afterTransaction: min(max(read, floor), head.number))
        try save(Receipt(token: token), in: context)
        let place = "continuing after transaction \(token.number)."
        let words =
            fault == .expired
            ? "Transactions \(old.number.rawValue + 1) to \(floor) were purged before they were delivered; \(place)"
            : "The cache was restored from a backup; \(place) Changes between the backup and the restore may be "
                + "missing or repeated."
        return (token, words)
    }

    private func consumer(in context: QuakeContext) throws -> HistoryConsumer? {
        if case .consumer(let name) = storage { try context.history.consumer(named: name) } else { nil }
    }

    /// Checks before any output, as far as possible, that the position can be saved. Throws the error that
    /// ``save(_:in:)`` would throw.
    func requireSaving() throws(CommandError) {
        if case .file(let path) = storage, savesAfterDelivery { try TokenFile.requireReplaceable(path) }
    }

    /// Saves the position for the next delivery. Does nothing unless ``savesAfterDelivery``.
    func save(_ receipt: Receipt, in context: QuakeContext) throws {
        guard savesAfterDelivery else { return }
        switch storage {
        case .consumer(let name):
            do {
                try context.history.acknowledge(receipt.token, through: receipt.lastChange, for: name)
            } catch let error as StoreError where error.isTransient {
                guard let command = receipt.command else { throw error }
                unsaved = receipt
                var failure = CommandError(error)
                let subject = "The command ran\(command.quake.map { " for \($0)" } ?? "")"
                failure.what += " \(subject), but the consumer's token could not be saved."
                failure.what += " The command may run again."
                failure.remedy = nil
                failure.cause = error
                throw failure
            }
        case .file(let path): try TokenFile.write(receipt.token.description, to: path)
        case .process: break
        }
        received = receipt
    }
}
