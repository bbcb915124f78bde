import Glibc
import QuakeStore
import QuakeSystem

enum TokenFile {
    /// Returns the token in the file at `path`; nil if the file is missing.
    static func read(_ path: String) throws -> String? {
        guard access(path, F_OK) == 0 else { return nil }
        // In a folder such as /tmp, another user could create a pipe at this path, from which reading would wait
        // forever.
        guard !FileLocation.isForeignInSharedFolder(path) || FileLocation.obstacle(at: path) == nil else {
            throw unusable(path, "another user put it there")
        }
        let number = open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { throw unusable(path, "it cannot be read") }
        let file = Descriptor(number)
        var bytes = [UInt8](repeating: 0, count: maximumBytes + 1)
        let count = bytes.withUnsafeMutableBytes { file.read(into: $0) }
        guard count >= 0 else { throw unusable(path, "it cannot be read") }
        guard count <= maximumBytes, let text = String(validating: bytes[..<count], as: UTF8.self) else {
            throw malformed(path)
        }
        return String(text.trimming(while: \.isWhitespace))
    }

    /// The maximum file size in bytes. A larger file cannot contain a token and is not read to its end.
    private static let maximumBytes = 4096

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
        } catch {
            if let code = error.code, [ENOSPC, EDQUOT].contains(code) {
                throw CommandError(StoreError.diskFull(path: path))
            }
            throw unusable(error.path, error.reason)
        }
    }

    static func malformed(_ path: String) -> CommandError {
        CommandError(
            "The file \(path) does not contain a token.",
            "Choose another file, or delete this one to start over.", .usage)
    }

    private static func unusable(_ path: String, _ reason: String) -> CommandError {
        let remedy = FileLocation.isDirectory(path) ? "Choose a file." : CommandError.remedyForMissingFolder(of: path)
        return CommandError(
            "Cannot use the token file \(path): \(reason).", remedy ?? "Check the path and its permissions.",
            .storageFailure)
    }
}
