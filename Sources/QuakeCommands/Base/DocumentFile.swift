import Glibc
import QuakeModel
import QuakeStore
import QuakeSystem
import Synchronization

/// The file of `--output` while a command writes to it. A regular file is created or replaced atomically once the
/// content is complete. A pipe, terminal or device is written as a stream.
final class DocumentFile: Sendable {
    private let path: String
    /// Whether an existing file must not be replaced.
    private let mustBeNew: Bool
    /// The stream to which the command writes instead of standard output.
    let stream: StandardStream
    private let signals = HeldSignals()
    private let state: Mutex<State>

    private struct State {
        /// The content, until it replaces the file or is discarded.
        var content: NewContent?
        /// The size of the file in bytes; nil until the file is complete, and for a stream.
        var size: Int?
        var quakeCount: Int?
    }

    /// Begins to write the file at `path`.
    ///
    /// - Parameters:
    ///   - mustBeNew: Whether to throw if the file exists.
    ///   - output: The standard output that the file replaces. Its numbers of columns and rows, which set the size of a
    ///     text map, are kept.
    init(at path: String, mustBeNew: Bool, insteadOf output: StandardStream) throws(CommandError) {
        // If the file system requires a name for the draft, a signal must not end this program before the draft is
        // removed.
        signals.hold()
        let content: NewContent
        do throws(CommandError) { content = try Self.begin(path, mustBeNew: mustBeNew) } catch {
            signals.release()
            throw error
        }
        self.path = path
        self.mustBeNew = mustBeNew
        var stream = output
        stream.descriptor = content.descriptor
        stream.isTerminal = false
        stream.usesUnicode = true
        if content.isDraftNamed { stream.endingSignals = signals } else { signals.release() }
        self.stream = stream
        state = Mutex(State(content: content))
    }

    /// Replaces the file with the content, and returns once it is on disk. Does nothing after the first call or
    /// ``discard()``.
    func moveIntoPlace() throws { try end(inPlace: true) }

    /// Discards the content, so that the file stays as it was. Does nothing after ``moveIntoPlace()``.
    func discard() { try? end(inPlace: false) }

    /// Sets the number of quakes in the document, for ``report``.
    func count(quakes: Int) { state.withLock { $0.quakeCount = quakes } }

    /// A summary of the complete file: `wrote quakes.csv, 76 KiB, 812 quakes`; nil for a stream.
    var report: String? {
        let state = state.withLock { (size: $0.size, quakeCount: $0.quakeCount) }
        guard let size = state.size else { return nil }
        let name = TerminalText.sanitized(String(FileLocation.name(in: path)))
        let parts = ["wrote \(name)", size.byteWords, state.quakeCount?.counted("quake")]
        return parts.compactMap(\.self).joined(separator: ", ")
    }

    /// Returns an error that names the file if `error` is a failure to write the output; otherwise returns `error`.
    func addingPath(to error: any Error) -> any Error {
        guard case OutputError.writeFailed(let code) = error else { return error }
        return CommandError(ReplacedFile.Failure(path, SystemError(code)))
    }

    /// Replaces the file or discards the content. A discarded draft is removed before a held signal takes effect.
    private func end(inPlace: Bool) throws {
        signals.hold()
        defer { signals.release() }
        try state.withLock { state in
            guard let content = state.content.take(), inPlace else { return }
            if signals.arrived != nil { throw OutputError.interrupted }
            do throws(ReplacedFile.Failure) { try content.moveIntoPlace(replacing: !mustBeNew) } catch {
                throw mustBeNew && error.code == EEXIST ? Self.exists(path) : CommandError(error)
            }
            state.size = content.size
        }
    }

    private static func begin(_ path: String, mustBeNew: Bool) throws(CommandError) -> NewContent {
        let content: NewContent
        do throws(ReplacedFile.Failure) { content = try ReplacedFile(path).begin() } catch { throw CommandError(error) }
        guard !mustBeNew || content.isStream || !FileLocation.isTaken(path) else { throw exists(path) }
        return content
    }

    private static func exists(_ path: String) -> CommandError {
        CommandError(
            "\(path) already exists; use a new name, for example one that includes the date.", nil, .storageFailure)
    }
}

extension CommandError {
    /// The remedy if the folder of the file at `path`, which is to be written, does not exist; otherwise nil.
    static func remedyForMissingFolder(of path: String) -> String? {
        let folder = FileLocation.folder(of: path)
        guard FileLocation.status(of: folder) == nil, errno == ENOENT else { return nil }
        return "Create the folder \(folder), or choose another file."
    }

    /// Creates the error for a file that `--output` cannot write.
    fileprivate init(_ failure: ReplacedFile.Failure) {
        if [ENOSPC, EDQUOT].contains(failure.code) {
            self.init(StoreError.diskFull(path: failure.path))
        } else {
            self.init(
                "Cannot write \(failure.path): \(failure.reason).", Self.remedy(for: failure), .storageFailure)
        }
    }

    private static func remedy(for failure: ReplacedFile.Failure) -> String {
        if failure.code == ENOENT, let remedy = remedyForMissingFolder(of: failure.path) { return remedy }
        return switch failure.code ?? 0 {
        case EACCES, EPERM, EROFS: "Check the folder's permissions, or choose another file."
        case EFBIG: "Check the file size limit (ulimit -f)."
        default: "Choose another file."
        }
    }
}
