import FoundationEssentials
import Glibc
import QuakeModel
import QuakeStore

/// Where a call of `quakes changes` starts, and where it keeps its last token.
///
/// The token moves only after all output was written without error. If the reader dies or closes the pipe, the old
/// token stays and the next call repeats the records (at-least-once delivery).
enum ReadPosition {
    /// A token on the command line. The next one is not kept.
    case given(String)
    /// The cache keeps the token, under the name of the consumer.
    case consumer(String, isKept: Bool)
    case file(String, isKept: Bool)
    case moment(HistoryTime)
    case transaction(Int64)
    case beginning

    /// The position that the options of `command` select.
    ///
    /// - Parameter isPeek: a person looks, and the token stays.
    init(command: ChangesCommand, isPeek: Bool = false) throws {
        let keeps = !command.delivery.leavesToken && !isPeek
        if let token = command.start.sinceToken, token != StartOptions.lastToken {
            self = .given(token)
        } else if let path = command.start.tokenFile {
            self = .file(path, isKept: keeps)
        } else if command.start.sinceToken != nil || command.delivery.acknowledged != nil {
            self = .consumer(command.start.consumer ?? "default", isKept: keeps)
        } else if let moment = command.start.since {
            self = .moment(moment)
        } else if let number = command.start.sinceTransaction {
            self = .transaction(number)
        } else {
            self = .beginning
        }
    }

    /// Whether the cache must be opened for writing.
    var needsWriting: Bool {
        if case .consumer(_, isKept: true) = self { true } else { false }
    }

    /// Whether the next token is kept, so that it need not be printed.
    var keepsToken: Bool {
        switch self {
        case .consumer(_, let isKept), .file(_, let isKept): isKept
        case .given, .moment, .transaction, .beginning: false
        }
    }

    /// Where to start.
    func start(in context: QuakeContext, now: Timestamp) throws -> HistoryDescriptor.Start {
        switch self {
        case .given(let text): return .token(try TokenArgument.resolve(text, in: context))
        case .consumer(let name, _):
            guard let consumer = try context.consumer(named: name) else { return .transaction(0) }
            guard let token = HistoryToken(consumer.token) else { throw CommandError.malformedToken(consumer.token) }
            return .token(token)
        case .file(let path, _):
            guard let text = try TokenFile.read(path) else { return .transaction(0) }
            return .token(try TokenArgument.resolve(text, in: context))
        case .moment(let moment): return moment.start(now: now)
        case .transaction(let number): return .transaction(number)
        case .beginning: return .beginning
        }
    }

    /// Checks before any output whether the token can be kept, as far as that can be known. Throws what ``keep(_:in:)``
    /// would throw.
    func requireKeeping() throws(CommandError) {
        if case .file(let path, isKept: true) = self { try TokenFile.requireReplaceable(path) }
    }

    /// Keeps `token` for the next call.
    func keep(_ token: HistoryToken, in context: QuakeContext) throws {
        switch self {
        case .consumer(let name, isKept: true): try context.acknowledge(token, for: name)
        case .file(let path, isKept: true): try TokenFile.write(token.description, to: path)
        case .given, .consumer, .file, .moment, .transaction, .beginning: break
        }
    }
}

/// A file that holds one token.
enum TokenFile {
    /// The token in the file at `path`; nil if the file is missing or empty.
    static func read(_ path: String) throws -> String? {
        guard access(path, F_OK) == 0 else { return nil }
        guard let text = FileManager.default.contents(atPath: path).flatMap({ String(validating: $0, as: UTF8.self) })
        else { throw CommandError.tokenFile(path: path, reason: "it cannot be read") }
        let token = text.trimming(while: \.isWhitespace)
        return token.isEmpty ? nil : String(token)
    }

    /// Throws if ``write(_:to:)`` cannot replace the file at `path`: its folder is not writable, it is not a regular
    /// file, or it belongs to another user in a folder such as /tmp. Does not change the file.
    static func requireReplaceable(_ link: String) throws(CommandError) {
        let path = target(of: link)
        var present = stat()
        if stat(path, &present) == 0, present.st_mode & S_IFMT != S_IFREG {
            throw .tokenFile(path: path, reason: "it is not a regular file")
        }
        var folder = stat()
        let user = geteuid()
        if user != 0, lstat(path, &present) == 0, present.st_uid != user,
            stat(folderPath(of: path), &folder) == 0, folder.st_uid != user,
            folder.st_mode & S_ISVTX != 0
        {
            throw .tokenFile(path: path, reason: SystemError.words(EPERM))
        }
        let (descriptor, temporary) = try draft(of: path)
        close(descriptor)
        unlink(temporary)
    }

    /// Replaces the file with one that holds `token`, in one step: a reader sees the old token or the new one.
    static func write(_ token: String, to link: String) throws {
        let path = target(of: link)
        let (descriptor, temporary) = try draft(of: path)
        let writer = ByteWriter(descriptor: descriptor)
        writer.append(token + "\n")
        do {
            try writer.flush()
        } catch {
            close(descriptor)
            unlink(temporary)
            throw error
        }
        let isSafe = fsync(descriptor) == 0
        guard close(descriptor) == 0, isSafe, rename(temporary, path) == 0 else {
            let error = failure(path)
            unlink(temporary)
            throw error
        }
    }

    /// The file to replace: the target of a symbolic link, so that the link stays; `path` itself if there is no file
    /// yet.
    private static func target(of path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private static func folderPath(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Creates an empty file beside the one at `path`, open for writing. Removes what an aborted run has left there.
    private static func draft(of path: String) throws(CommandError) -> (descriptor: Int32, path: String) {
        let temporary = "\(path).\(getpid()).tmp"
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure(path) }
        return (descriptor, temporary)
    }

    private static func failure(_ path: String) -> CommandError {
        .tokenFile(path: path, reason: SystemError.words(errno))
    }
}
