import Foundation
import QuakeModel
import QuakeStore

/// Where a call of `quakes changes` starts, and where its last token is kept.
///
/// The token moves only after the output was written without error: a reader that dies, or a pipe that closes, leaves the
/// old one, and the next call repeats (delivery at least once).
enum ReadPosition {
    /// A token on the command line; nobody keeps the next one.
    case given(String)
    /// The cache remembers, under the consumer's name.
    case consumer(String, isKept: Bool)
    case file(String, isKept: Bool)
    case moment(TimeExpression)
    case transaction(Int64)
    case beginning

    /// The bookmark the options of `command` mean.
    init(command: ChangesCommand) throws {
        let keeps = !command.delivery.leavesToken
        if let token = command.sinceToken, token != ChangesCommand.lastToken {
            self = .given(token)
        } else if let path = command.place.tokenFile {
            self = .file(path, isKept: keeps)
        } else if command.sinceToken != nil || command.delivery.acknowledged != nil {
            self = .consumer(command.place.consumer ?? "default", isKept: keeps)
        } else if let moment = command.place.since {
            self = .moment(moment)
        } else if let number = command.place.sinceTransaction {
            self = .transaction(number)
        } else {
            self = .beginning
        }
    }

    /// Whether the cache must be opened for writing.
    var needsWriting: Bool {
        if case .consumer(_, isKept: true) = self { true } else { false }
    }

    /// Whether the next token is kept somewhere, so that the user need not be told.
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
        case .moment(let moment): return .moment(moment.resolve(now: now))
        case .transaction(let number): return .transaction(number)
        case .beginning: return .beginning
        }
    }

    /// Throws what keeping a token would throw, as far as that can be told in advance: before anything was written.
    func requireKeeping() throws(CommandError) {
        if case .file(let path, isKept: true) = self { try TokenFile.requireReplaceable(path) }
    }

    /// Keeps `token` where this bookmark keeps it.
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
    /// The token in the file at `path`; nil when there is no file, or an empty one.
    static func read(_ path: String) throws -> String? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw CommandError.tokenFile(path: path, reason: "it cannot be read")
        }
        let token = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return token.isEmpty ? nil : token
    }

    /// Throws where ``write(_:to:)`` could not replace the file at `path`: its folder takes no file, something else is in its
    /// place, or it is another user's in a folder like /tmp. What it holds stays as it is.
    static func requireReplaceable(_ link: String) throws(CommandError) {
        let path = target(of: link)
        var present = stat()
        if stat(path, &present) == 0, present.st_mode & S_IFMT != S_IFREG {
            throw .tokenFile(path: path, reason: "it is no regular file")
        }
        var folder = stat()
        let user = geteuid()
        if user != 0, lstat(path, &present) == 0, present.st_uid != user,
            stat(URL(filePath: path).deletingLastPathComponent().path, &folder) == 0, folder.st_uid != user,
            folder.st_mode & S_ISVTX != 0
        {
            throw .tokenFile(path: path, reason: SystemError.words(EPERM))
        }
        let (descriptor, temporary) = try draft(of: path)
        close(descriptor)
        unlink(temporary)
    }

    /// Puts `token` in the place of what the file held, at once: a reader sees the old one or the new one.
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

    /// The file that is replaced: where a link leads, so that the link stays one; `path` itself where there is nothing yet.
    private static func target(of path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// An empty file beside the one at `path`, open for writing. What a broken-off run left in its place goes, a link too.
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
