import Glibc
import QuakeModel
import QuakeStore
import QuakeSystem
import Synchronization

/// The file of `--output` while a command writes to it. The content replaces the file, or becomes a new file, only when
/// it is complete; a pipe, terminal or device is written as a stream.
final class DocumentFile: Sendable {
    private let path: String
    /// Whether an existing file must not be replaced.
    private let mustBeNew: Bool
    /// The standard output of the command that writes to the file.
    let stream: StandardStream
    private let signals = HeldSignals()
    private let state: Mutex<State>

    private struct State {
        /// Nil once the content has taken its place or was discarded.
        var content: NewContent?
        /// The number of bytes that took the file's place.
        var size: Int?
        var quakeCount: Int?
    }

    /// Begins to write the file at `path`.
    ///
    /// - Parameters:
    ///   - mustBeNew: Whether to throw if the file exists.
    ///   - output: The standard output to replace, which has the size of a map in characters.
    init(at path: String, mustBeNew: Bool, insteadOf output: StandardStream) throws(CommandError) {
        // Where a draft has a name, a signal must not end this program before the draft is removed.
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

    /// Puts the content in the place of the file, and returns once it is on disk. Does nothing if that was done before.
    func takePlace() throws { try end(inPlace: true) }

    /// Leaves the file as it was, unless the content has taken its place.
    func discard() { try? end(inPlace: false) }

    /// Tells how many quakes the document lists, for ``report``.
    func count(quakes: Int) { state.withLock { $0.quakeCount = quakes } }

    /// The name, size and contents of the complete file in words; nil for a stream.
    var report: String? {
        let state = state.withLock { (size: $0.size, quakeCount: $0.quakeCount) }
        guard let size = state.size else { return nil }
        let name = TerminalText.sanitized(String(FileLocation.name(in: path)))
        let parts = ["wrote \(name)", size.byteWords, state.quakeCount?.counted("quake")]
        return parts.compactMap(\.self).joined(separator: ", ")
    }

    /// Returns `error`, if it concerns the output, as an error that names the file.
    func naming(_ error: any Error) -> any Error {
        guard case OutputError.writeFailed(let code) = error else { return error }
        return CommandError(ReplacedFile.Failure(path, SystemError(code)))
    }

    /// Ends the writing. A draft that does not take its place is removed before a held signal takes effect.
    private func end(inPlace: Bool) throws {
        signals.hold()
        defer { signals.release() }
        try state.withLock { state in
            guard let content = state.content.take(), inPlace else { return }
            if signals.arrived != nil { throw OutputError.interrupted }
            do throws(ReplacedFile.Failure) { try content.takePlace(replacing: !mustBeNew) } catch {
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
            "\(path) already exists; use a new name, for example with the date.", nil, .storageFailure)
    }
}

extension CommandError {
    /// An error about a file that `--output` cannot write.
    fileprivate init(_ failure: ReplacedFile.Failure) {
        if [ENOSPC, EDQUOT].contains(failure.code) {
            self.init(StoreError.diskFull(path: failure.path))
        } else {
            self.init(
                "Cannot write \(failure.path): \(failure.reason).",
                "Check the folder's permissions, or choose another file.", .storageFailure)
        }
    }
}
