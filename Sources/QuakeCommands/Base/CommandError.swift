import Glibc
import QuakeMirror
import QuakeSystem

/// An error as the program reports it: a sentence on what happened, an optional sentence on what to do about it, and
/// the exit status. Errors from the libraries are converted and given a remedy, in CommandError+Store.swift and
/// CommandError+Feed.swift.
struct CommandError: Error, Equatable {
    var what: String
    var remedy: String?
    var status: ExitStatus
    /// Technical details for developers, shown with `--verbose`.
    var detail: String?
    /// The error that prevented the cache from saving a consumer's position.
    var cause: StoreError?

    /// Whether the error has lasted for so long that it is printed even with `--quiet`.
    var hasLasted = false

    /// Whether nothing is printed. A reader that closes the pipe early, such as `head`, is not an error.
    var isSilent = false

    init(_ what: String, _ remedy: String? = nil, _ status: ExitStatus) {
        self.what = what
        self.remedy = remedy
        self.status = status
    }

    init(_ error: any Error) {
        switch error {
        case let error as CommandError: self = error
        case let error as StoreError: self.init(error.words, error.answer.remedy, error.answer.status)
        case let error as FeedError: self.init(error)
        case OutputError.writeFailed(let errno):
            self.init("Cannot write the output (\(SystemError(errno).reason)).", "Is the disk full?", .storageFailure)
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

    /// Writes the text to `stream`, followed by the detail if `--verbose` is given. With `--quiet`, omits errors that a
    /// later run may resolve, so that cron does not mail them, unless they have lasted for a long time or a command may
    /// run twice.
    func print(on stream: StandardStream, _ global: GlobalOptions? = nil, hasLasted: @autoclosure () -> Bool = false) {
        let mayWait = global?.isQuiet == true && status == .tryLater && cause == nil
        guard !isSilent, !mayWait || self.hasLasted || hasLasted() else { return }
        stream.writeLine(text)
        if global?.isVerbose == true, let detail { stream.writeLine("quakes: \(detail)") }
    }
}

extension ChildProcess.Ending {
    /// The way the process ended, worded as the end of a sentence.
    var words: String {
        switch self {
        case .exited(let status): "exited with status \(status)"
        case .signaled(let number): "was killed by signal \(number)"
        }
    }
}
