import Glibc

/// A running child process. It is killed and reaped when its owner goes without having waited for it.
///
/// posix_spawn(3) itself, because Foundation's Process looks for the end of a child in steps of 50 ms: /bin/true takes
/// 51 ms with it and 0.6 ms here.
struct ChildProcess: ~Copyable {
    /// How a child came to its end.
    enum Ending: Equatable {
        case exited(Int32)
        case signalled(Int32)
    }

    let id: pid_t

    /// Starts `executable` with `conversation` as its input and output, or returns the error number.
    ///
    /// The descriptors must not be 0, 1 or 2 themselves; every other descriptor is expected to close on exec. Signals that
    /// this process blocks are not blocked in the child; those it ignores (nohup) stay ignored.
    static func start(
        _ executable: String, environment: [String: String], conversation: Int32, errors: Int32
    ) -> Result<pid_t, StartFailure> {
        collectChildrenOnDemand()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (source, target) in [(conversation, STDIN_FILENO), (conversation, STDOUT_FILENO), (errors, STDERR_FILENO)] {
            posix_spawn_file_actions_adddup2(&actions, source, target)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var noSignals = sigset_t()
        sigemptyset(&noSignals)
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(executable), nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (arguments + variables).forEach { free($0) } }
        var id: pid_t = 0
        let code = posix_spawn(&id, executable, &actions, &attributes, &arguments, &variables)
        return code == 0 ? .success(id) : .failure(StartFailure(code: code))
    }

    /// Why a child did not start.
    struct StartFailure: Error {
        let code: Int32
    }

    init(id: pid_t) {
        self.id = id
    }

    deinit {
        kill(id, SIGKILL)
        _ = Self.reap(id)
    }

    /// Waits until the child has ended. Nil when the system cannot tell how.
    consuming func wait() -> Ending? {
        let ending = Self.reap(id)
        discard self
        return ending
    }

    /// Lets the child end on its own. Whoever takes its id reaps it, or the system does when this process ends.
    consuming func leave() -> pid_t {
        let id = id
        discard self
        return id
    }

    /// Reaps the child `id` if it has ended; false when it has not yet.
    static func reapIfEnded(_ id: pid_t) -> Bool {
        waitpid(id, nil, WNOHANG) != 0
    }

    private static func reap(_ id: pid_t) -> Ending? {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0 {
            if errno != EINTR { return nil }
        }
        let signal = status & 0x7f
        return signal == 0 ? .exited((status >> 8) & 0xff) : .signalled(signal)
    }

    /// Some parents start programs with SIGCHLD ignored; the kernel then throws every child's status away.
    private static func collectChildrenOnDemand() {
        var current = sigaction()
        guard sigaction(SIGCHLD, nil, &current) == 0 else { return }
        let isIgnored = unsafeBitCast(current.__sigaction_handler.sa_handler, to: Int.self) == 1
        if isIgnored { signal(SIGCHLD, SIG_DFL) }
    }
}
