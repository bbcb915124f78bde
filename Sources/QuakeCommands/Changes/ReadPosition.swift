import Glibc
import QuakeStore
import QuakeSystem

/// The position from which a run of `quakes changes` starts, and the way that the run saves its last token.
///
/// The token advances only after all output was written without error. If the reader dies or closes the pipe, the old
/// token remains and the next run repeats the records (at-least-once delivery).
enum ReadPosition {
    /// A token from the command line. The next token is not saved.
    case given(String)
    /// A token that the cache stores under the consumer's name. The process also remembers it, in case this cache is
    /// replaced by one that does not know the consumer.
    case consumer(String, isKept: Bool, RememberedPosition = RememberedPosition())
    case file(String, isKept: Bool)
    /// A time, a transaction or the beginning. The next token is not saved.
    case fixed(HistoryDescriptor.Start)
    /// A position that only this process remembers, for a watch without a consumer.
    case memory(RememberedPosition)

    /// Creates the position that the options of `command` select.
    ///
    /// - Parameters:
    ///   - now: The present time, from which ages count back.
    ///   - zone: The time zone for dates that specify none.
    ///   - isPeek: Whether a person is only viewing the changes, so that the token does not advance.
    init(command: ChangesCommand, now: Timestamp, zone: LocalTime, isPeek: Bool) {
        let keeps = !command.delivery.leavesToken && !isPeek
        if let token = command.start.sinceToken, token != StartOptions.lastToken {
            self = .given(token)
        } else if let path = command.start.tokenFile {
            self = .file(path, isKept: keeps)
        } else if command.start.resumes || command.delivery.acknowledged != nil {
            self = .consumer(command.start.consumer ?? "default", isKept: keeps)
        } else if let time = command.start.since {
            self = .fixed(time.start(now: now, zone: zone))
        } else {
            self = .fixed(command.start.sinceTransaction.map { .transaction($0) } ?? .floor)
        }
    }

    var access: StoreConfiguration.Access {
        if case .consumer(_, isKept: true, _) = self { .writing } else { .reading }
    }

    /// Whether the next token is saved, so that it need not be printed.
    var keepsToken: Bool {
        switch self {
        case .consumer(_, let isKept, _), .file(_, let isKept): isKept
        case .memory: true
        case .given, .fixed: false
        }
    }

    /// A description of the saved token and the option that selects it; nil if no token is saved.
    var saved: (words: String, option: String)? {
        switch self {
        case .consumer(let name, _, _): ("saved token of \"\(name)\"", "--consumer \(name.shellWord)")
        case .file(let path, _): ("token in \(path)", "--token-file \(path.shellWord)")
        case .given, .fixed, .memory: nil
        }
    }

    /// Returns the position to start from. This may write to the cache, so it must not be called inside a snapshot.
    ///
    /// - Parameters:
    ///   - startsNow: Whether a new consumer starts with the next change instead of the first.
    ///   - reporter: Reports that a consumer is new.
    /// - Throws: ``CommandError/neverFilled`` if the consumer would start now but the cache has no state yet.
    func start(
        in context: QuakeContext, startsNow: Bool = false, _ reporter: Reporter
    ) throws -> HistoryDescriptor.Start {
        switch self {
        case .given(let text): return .token(try TokenArgument.resolve(text, in: context))
        case .consumer(let name, _, let place):
            // Until this is saved, no other command runs: it would run again and again, on a full disk once a minute.
            if let (token, change, command) = place.unsaved {
                place.unsaved = nil
                try keep(token, through: change, after: command, in: context)
            }
            guard let consumer = try context.history.consumer(named: name) else {
                if let token = place.token { return .token(token) }
                return try firstStart(in: context, startsNow, reporter)
            }
            guard let token = consumer.token else { throw TokenArgument.malformed(consumer.tokenText) }
            return .token(token)
        case .file(let path, _):
            guard let text = try TokenFile.read(path) else {
                return try firstStart(in: context, startsNow, reporter)
            }
            do {
                return .token(try TokenArgument.resolve(text, in: context))
            } catch is CommandError { throw TokenFile.malformed(path) }
        case .fixed(let start): return start
        case .memory(let place): return .token(try place.token ?? keepPresent(in: context))
        }
    }

    private func firstStart(
        in context: QuakeContext, _ startsNow: Bool, _ reporter: Reporter
    ) throws -> HistoryDescriptor.Start {
        let start = startsNow ? .token(try keepPresent(in: context)) : HistoryDescriptor.Start.transaction(.zero)
        let words = startsNow ? "starting with the next change" : "showing everything in the cache"
        reporter.remark("no changes have been read with \(saved?.option ?? "") yet; \(words)")
        return start
    }

    /// Saves and returns the present position, so that all later commits are delivered even if the first delivery
    /// fails. Throws if the cache is still empty, because quakes in its first document are not news.
    private func keepPresent(in context: QuakeContext) throws -> HistoryToken {
        try context.requireFilled()
        let head = try context.history.head()
        try keep(head, in: context)
        return head
    }

    /// Returns the last change delivered from the transaction after this position; nil if there is none.
    func lastChange(in context: QuakeContext) throws -> ChangeID? {
        switch self {
        case .consumer(let name, _, let place):
            try context.history.consumer(named: name).map(\.lastChange) ?? place.lastChange
        case .memory(let place): place.lastChange
        case .given, .file, .fixed: nil
        }
    }

    /// Moves a reader that has an unusable token and cannot resync to the position from which it resumes. Returns that
    /// position's token and a sentence about the changes that the reader may have missed. Unless the cache was
    /// replaced, no retained change after the last transaction read is skipped.
    func resume(in context: QuakeContext) throws -> (token: HistoryToken, words: String) {
        let history = context.history
        let (head, floor) = (try history.head(), try history.floor().number)
        let old: HistoryToken?
        var read: TransactionNumber?
        // Only a restore saves another cache's token, and moves the consumer's number to this history.
        var isSaved = false
        switch self {
        case .consumer(let name, _, let place):
            let consumer = try history.consumer(named: name)
            (old, read) = consumer.map { ($0.token, $0.number) } ?? (place.token, place.token?.number)
            isSaved = consumer != nil
        case .memory(let place): (old, read) = (place.token, place.token?.number)
        case .given, .file, .fixed: old = nil
        }
        guard let old, let read, isSaved || old.storeID == head.storeID else {
            return (try keepPresent(in: context), "The cache was replaced; continuing from its current state.")
        }
        guard let fault = try history.fault(of: old) else {
            return (old, "The cache was replaced; continuing after transaction \(old.number).")
        }
        let token = try history.token(afterTransaction: min(max(read, floor), head.number))
        try keep(token, in: context)
        let place = "continuing after transaction \(token.number)."
        let words =
            fault == .expired
            ? "Transactions \(old.number.rawValue + 1) to \(floor) were purged before they were delivered; \(place)"
            : "The cache was restored from a backup; \(place) Changes between the backup and the restore may be "
                + "missing or repeated."
        return (token, words)
    }

    /// Checks before any output, as far as possible, that the token can be saved. Throws the same errors as
    /// ``keep(_:through:after:in:)``.
    func requireKeeping() throws(CommandError) {
        if case .file(let path, isKept: true) = self { try TokenFile.requireReplaceable(path) }
    }

    /// Saves `token` for the next call, with the last change delivered from the following transaction, if any.
    ///
    /// - Parameter command: The command that received the changes. If saving fails, the error warns that the command
    ///   may run again.
    func keep(
        _ token: HistoryToken, through change: ChangeID? = nil, after command: FinishedCommand? = nil,
        in context: QuakeContext
    ) throws {
        switch self {
        case .consumer(let name, isKept: true, let place):
            do {
                try context.history.acknowledge(token, through: change, for: name)
            } catch let error as StoreError where error.mayPass {
                guard let command else { throw error }
                place.unsaved = (token, change, command)
                var failure = CommandError(error)
                let subject = "The command ran\(command.quake.map { " for \($0)" } ?? "")"
                failure.what += " \(subject), but the consumer's position could not be saved."
                failure.what += " The command may run again."
                (failure.remedy, failure.cause) = (nil, error)
                throw failure
            }
            (place.token, place.lastChange) = (token, change)
        case .memory(let place): (place.token, place.lastChange) = (token, change)
        case .file(let path, isKept: true): try TokenFile.write(token.description, to: path)
        case .given, .consumer, .file, .fixed: break
        }
    }
}

/// A command of `--exec` or `--exec-each` that has succeeded.
struct FinishedCommand {
    /// The id of the quake that the command was run for; nil for `--exec`, which receives all records.
    var quake: String?
}

/// A reader's position that is kept in memory.
final class RememberedPosition {
    var token: HistoryToken?
    var lastChange: ChangeID?
    /// The position after a command that has run, if the cache could not save it.
    var unsaved: (token: HistoryToken, change: ChangeID?, command: FinishedCommand)?
}

enum TokenFile {
    /// Returns the token in the file at `path`; nil if the file is missing.
    static func read(_ path: String) throws -> String? {
        guard access(path, F_OK) == 0 else { return nil }
        // In a folder such as /tmp, another user's pipe could wait forever.
        guard !FileLocation.isPlanted(path) || FileLocation.obstacle(at: path) == nil else {
            throw unusable(path, "another user put it there")
        }
        let number = open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { throw unusable(path, "it cannot be read") }
        let file = Descriptor(number)
        var bytes = [UInt8](repeating: 0, count: largest + 1)
        let count = bytes.withUnsafeMutableBytes { file.read(into: $0) }
        guard count >= 0 else { throw unusable(path, "it cannot be read") }
        guard count <= largest, let text = String(validating: bytes[..<count], as: UTF8.self) else {
            throw malformed(path)
        }
        return String(text.trimming(while: \.isWhitespace))
    }

    /// The maximum file size in bytes. A larger file cannot contain a token and is not read to its end.
    private static let largest = 4096

    /// Throws if ``write(_:to:)`` could not replace the file at `path`. Does not change the file.
    static func requireReplaceable(_ path: String) throws(CommandError) {
        do throws(ReplacedFile.Failure) {
            try ReplacedFile(path).requireReplaceable()
        } catch { throw unusable(error.path, error.reason) }
    }

    /// Atomically replaces the file with one that contains `token`: a reader sees either the old or the new token.
    static func write(_ token: String, to path: String) throws(CommandError) {
        do throws(ReplacedFile.Failure) {
            try ReplacedFile(path).write { writer in writer.append(token + "\n") }
        } catch { throw unusable(error.path, error.reason) }
    }

    static func malformed(_ path: String) -> CommandError {
        CommandError(
            "The file \(path) does not contain a token.",
            "Choose another file, or delete this one to start over.", .usage)
    }

    private static func unusable(_ path: String, _ reason: String) -> CommandError {
        CommandError(
            "Cannot use the token file \(path): \(reason).", "Check the path and its permissions.", .storageFailure)
    }
}
