import Glibc
import QuakeMirror
import QuakeSystem

/// An error as the program reports it: a sentence that says what happened, an optional sentence that says what to do,
/// and the exit status. CommandError+Store.swift and CommandError+Feed.swift convert errors from the libraries and add
/// the remedies.
struct CommandError: Error, Equatable {
    var what: String
    var remedy: String?
    var status: ExitStatus
    /// Technical details for developers, shown with `--verbose`.
    var detail: String?
    /// The reason that a consumer's position could not be saved after its command had run; otherwise nil.
    var cause: StoreError?

    /// Whether the error has lasted so long that it is printed even with `--quiet`.
    var hasLasted = false

    /// Whether to print nothing: the reader closed the pipe early, as `head` does, which is not an error.
    var isSilent = false

    init(_ what: String, _ remedy: String? = nil, _ status: ExitStatus) {
        self.what = what
        self.remedy = remedy
        self.status = status
    }

    init(_ error: any Error) {
        switch error {
        case let error as CommandError: self = error
        case let error as StoreError: self.init(error.what, error.remedyAndStatus.remedy, error.remedyAndStatus.status)
        case let error as FeedError: self.init(error)
        case OutputError.writeFailed(errno: EBADF):
            self.init("Cannot write the output: standard output is closed.", nil, .storageFailure)
        case OutputError.writeFailed(let errno):
            let remedy = [ENOSPC, EDQUOT].contains(errno) ? "Free some space and try again." : nil
            self.init("Cannot write the output (\(SystemError(errno).reason)).", remedy, .storageFailure)
        case is OutputError:
            self.init("The output was closed.", nil, .success)
            isSilent = true
        default: self.init("Unexpected error: \(error).", nil, .failure)
        }
    }

    static let neverFilled = CommandError("No feed has been read yet.", "Run `quakes refresh`.", .noCache)

    static let remedyForDamage =
        "If the file is a backup, use another one. If it is your cache, move it out of the way; then restore a backup "
        + "with `quakes restore`, or start a new cache."

    var text: String { remedy.map { "quakes: \(what) \($0)" } ?? "quakes: \(what)" }

    /// Writes the text to `stream` and, with `--verbose`, the detail.
    ///
    /// With `--quiet`, omits errors with status 75, which a later run may resolve, so that cron does not mail them.
    /// They are still written if they have lasted for a long time or if a command may run twice.
    func print(on stream: StandardStream, _ global: GlobalOptions? = nil, hasLasted: @autoclosure () -> Bool = false) {
        let mayWait = global?.isQuiet == true && status == .tryLater && cause == nil
        guard !isSilent, !mayWait || self.hasLasted || hasLasted() else { return }
        stream.writeLine(text)
        if global?.isVerbose == true, let detail { stream.writeLine("quakes: \(detail)") }
    }
}

extension ChildProcess.Ending {
    /// How the process ended, as the end of a sentence.
    var words: String {
        switch self {
        case .exited(let status): "exited with status \(status)"
        case .signaled(let number): "was killed by signal \(number)"
        }
    }
}
