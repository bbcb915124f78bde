import Foundation

/// A shell command that reads from us. It is told to end when its owner goes without having waited for it: what it read was
/// not all there is.
final class CommandReceiver {
    /// How a command came to its end.
    enum Ending: Equatable {
        case exited(Int32)
        case signalled(Int32)

        /// The same, as the end of a sentence.
        var words: String {
            switch self {
            case .exited(let status): "exited with status \(status)"
            case .signalled(let number): "was ended by signal \(number)"
            }
        }
    }

    /// What the command reads from; ours to write to.
    let input: Int32
    private let id: pid_t
    private var isReaped = false

    /// Starts `/bin/sh -c command` with our standard output and standard error.
    init(_ command: String) throws(CommandError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .commandNotStarted(reason: SystemError.words(errno)) }
        let (reading, writing) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, reading, STDIN_FILENO)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // We ignore SIGPIPE, and a shell's commands would inherit that.
        var restored = sigset_t()
        sigemptyset(&restored)
        sigaddset(&restored, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &restored)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        let words: [String] = ["sh", "-c", command]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var id: pid_t = 0
        let code = posix_spawn(&id, "/bin/sh", &actions, &attributes, &arguments, environ)
        close(reading)
        guard code == 0 else {
            close(writing)
            throw .commandNotStarted(reason: SystemError.words(code))
        }
        self.id = id
        input = writing
    }

    deinit {
        guard !isReaped else { return }
        kill(id, SIGTERM)
        close(input)
        _ = reap()
    }

    /// Tells the command that there is no more, and waits until it has ended.
    func wait() -> Ending {
        close(input)
        isReaped = true
        return reap()
    }

    private func reap() -> Ending {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0 {
            // Some parents start programs with SIGCHLD ignored; nobody can tell how such a child ended.
            guard errno == EINTR else { return .signalled(0) }
        }
        let number = status & 0x7f
        return number == 0 ? .exited((status >> 8) & 0xff) : .signalled(number)
    }
}
