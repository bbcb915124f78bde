import Glibc
import QuakeFeed

/// A shell command that reads from us. When its owner drops it without waiting, it gets SIGTERM: what it read was
/// incomplete.
final class CommandReceiver {
    typealias Ending = ChildProcess.Ending

    private var process: ChildProcess?
    private var pipe: Descriptor?

    /// Starts `/bin/sh -c command` with our standard output and standard error.
    ///
    /// - Parameters:
    ///   - output: Another stream as its standard output.
    ///   - variables: Its environment; nil for that of this process.
    init(
        _ command: String, output: StandardStream? = nil, variables: [String: String]? = nil
    ) throws(CommandError) {
        do throws(ChildProcess.StartError) {
            let ends = try DescriptorPair.pipe()
            process = try ChildProcess(
                "/bin/sh", arguments: ["sh", "-c", command], environment: variables,
                streams: [
                    (STDIN_FILENO, ends.theirs.number), (STDOUT_FILENO, output?.descriptor ?? STDOUT_FILENO),
                ], dropSignal: SIGTERM)
            pipe = ends.closingTheirs()
        } catch {
            throw .commandNotStarted(reason: error.reason)
        }
    }

    deinit {
        // The signal comes first: the end of its input would look like the end of the records. A command that ignores
        // the signal still ends when its input does.
        switch process {
        case .some(let process): process.send(SIGTERM)
        case .none: break
        }
        pipe = nil
    }

    /// What the command reads from; ours to write to.
    var input: Int32 {
        switch pipe {
        case .some(let pipe): pipe.number
        case .none: -1
        }
    }

    /// Tells the command that there is no more, and waits until it has ended.
    func wait() -> Ending {
        pipe = nil
        // An unknown ending counts as a failure.
        return process.take()?.wait() ?? .signalled(0)
    }
}

extension ChildProcess.Ending {
    /// How the process ended, as the end of a sentence.
    var words: String {
        switch self {
        case .exited(let status): "exited with status \(status)"
        case .signalled(let number): "was ended by signal \(number)"
        }
    }
}
