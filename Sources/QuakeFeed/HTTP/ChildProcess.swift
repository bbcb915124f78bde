import Glibc

/// A child process. When its owner drops it without waiting, it is sent a signal and reaped.
///
/// Not Foundation's Process, which polls for the end of a child every 50 ms: /bin/true takes 51 ms with it, 0.6 ms
/// here. A parent may have left SIGCHLD ignored; then ``wait()`` cannot tell how the child ended.
package struct ChildProcess: ~Copyable {
    /// How a child ended.
    package enum Ending: Hashable, Sendable {
        case exited(Int32)
        case signalled(Int32)
    }

    /// Why a child could not be started.
    package struct StartError: Error {
        /// The error number.
        package let code: Int32
        /// What the system says about it.
        package var reason: String { systemMessage(code) }
    }

    private let id: pid_t
    private let dropSignal: Int32
    /// What signals are sent to: the child, or as a negative number its process group.
    private let addressee: pid_t

    /// Starts the program at `path`.
    ///
    /// The child has the default reaction to SIGPIPE and SIGXFSZ and blocks no signal, whatever this process does.
    ///
    /// - Parameters:
    ///   - arguments: All words of its command line, the program's name first.
    ///   - environment: Its variables; nil for those of this process.
    ///   - streams: Pairs of a standard stream of the child and the descriptor that it is to be.
    ///   - dropSignal: What it is sent when its owner drops it.
    ///   - leadsGroup: Whether it and what it starts are a process group of their own, which then gets the signals.
    package init(
        _ path: String, arguments: [String], environment: [String: String]? = nil,
        streams: [(stream: Int32, descriptor: Int32)], dropSignal: Int32, leadsGroup: Bool = false
    ) throws(StartError) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (stream, descriptor) in streams { posix_spawn_file_actions_adddup2(&actions, descriptor, stream) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in [SIGPIPE, SIGXFSZ] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        // The group 0 is one of its own.
        posix_spawnattr_setpgroup(&attributes, 0)
        let group = leadsGroup ? POSIX_SPAWN_SETPGROUP : 0
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group))

        var words = arguments.map { strdup($0) } + [nil]
        var variables = (environment.map { $0.map { strdup("\($0.key)=\($0.value)") } } ?? Self.ownVariables()) + [nil]
        defer { (words + variables).forEach { free($0) } }
        var id: pid_t = 0
        let code = posix_spawn(&id, path, &actions, &attributes, &words, &variables)
        guard code == 0 else { throw StartError(code: code) }
        self.id = id
        self.dropSignal = dropSignal
        addressee = leadsGroup ? -id : id
    }

    deinit {
        kill(addressee, dropSignal)
        _ = Self.reap(id)
    }

    /// Sends it `signal`.
    package func send(_ signal: Int32) {
        kill(addressee, signal)
    }

    /// Whether it has ended, also when the system cannot tell.
    package var hasEnded: Bool {
        var information = siginfo_t()
        // Without a process that has ended, the system leaves the structure as it is.
        information.si_signo = 0
        let code = waitid(P_PID, id_t(id), &information, WEXITED | WNOHANG | WNOWAIT)
        return code != 0 ? errno != EINTR : information.si_signo != 0
    }

    /// Waits until the child has ended, at most `duration`; whether it has. It is still there for ``wait()``.
    ///
    /// It asks at growing intervals: most children that have closed their streams end within a millisecond.
    package func hasEnded(within duration: Duration) -> Bool {
        let end = ContinuousClock.now + duration
        var pause: useconds_t = 50
        while !hasEnded {
            guard ContinuousClock.now < end else { return false }
            usleep(pause)
            pause = min(2 * pause, 10_000)
        }
        return true
    }

    /// Waits until the child has ended. Nil if the system cannot tell how it ended.
    package consuming func wait() -> Ending? {
        let ending = Self.reap(id)
        discard self
        return ending
    }

    /// Copies of the variables of this process, byte for byte.
    private static func ownVariables() -> [UnsafeMutablePointer<CChar>?] {
        var copies: [UnsafeMutablePointer<CChar>?] = []
        var next = environ
        while let variable = next.pointee {
            copies.append(strdup(variable))
            next += 1
        }
        return copies
    }

    private static func reap(_ id: pid_t) -> Ending? {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0 {
            if errno != EINTR { return nil }
        }
        let signal = status & 0x7f
        return signal == 0 ? .exited((status >> 8) & 0xff) : .signalled(signal)
    }
}

/// An open file descriptor that is closed when its owner drops it.
package struct Descriptor: ~Copyable {
    package let number: Int32

    package init(_ number: Int32) {
        self.number = number
    }

    deinit {
        close(number)
    }

    /// Sends `bytes` and then the end of the stream; false, with errno set, if that fails.
    func sendAll(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                send(number, $0.baseAddress?.advanced(by: sent), $0.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno != EINTR { return false }
            sent += max(0, count)
        }
        return shutdown(number, Int32(SHUT_WR)) == 0
    }

    /// Writes all of `bytes` to a file; false, with errno set, if that fails.
    func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = Glibc.write(number, rest.baseAddress, rest.count)
            if count < 0 {
                if errno == EINTR { continue }
                return false
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        return true
    }

    /// Reads what there is into `buffer`: a count, 0 at the end, -1 with errno set on failure.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        while true {
            let count = Glibc.read(number, buffer.baseAddress, buffer.count)
            if count >= 0 || errno != EINTR { return count }
        }
    }
}

/// Two connected descriptors, one for this process and one for a child.
///
/// Other children do not inherit them. Neither is 0, 1 or 2, even if this process was started without standard streams.
package struct DescriptorPair: ~Copyable {
    package let ours: Descriptor
    package let theirs: Descriptor

    /// A socket pair. Writing to it need not raise SIGPIPE.
    package static func sockets() throws(ChildProcess.StartError) -> DescriptorPair {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw ChildProcess.StartError(code: errno) }
        return try DescriptorPair(ours: ends[0], theirs: ends[1])
    }

    /// A pipe from this process to the child, which can open it as /dev/stdin.
    package static func pipe() throws(ChildProcess.StartError) -> DescriptorPair {
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { throw ChildProcess.StartError(code: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return try DescriptorPair(ours: ends[1], theirs: ends[0])
    }

    private init(ours: Int32, theirs: Int32) throws(ChildProcess.StartError) {
        let pair = (Self.aboveStandardStreams(ours), Self.aboveStandardStreams(theirs))
        guard pair.0 >= 0, pair.1 >= 0 else {
            let code = errno
            close(pair.0)
            close(pair.1)
            throw ChildProcess.StartError(code: code)
        }
        self.ours = Descriptor(pair.0)
        self.theirs = Descriptor(pair.1)
    }

    /// Our end alone; the child's is closed here, or reading from ours would never end.
    package consuming func closingTheirs() -> Descriptor { ours }

    private static func aboveStandardStreams(_ number: Int32) -> Int32 {
        if number > STDERR_FILENO { return number }
        let higher = fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
        let code = errno
        close(number)
        errno = code
        return higher
    }
}

/// What the system says about the error number `code`.
func systemMessage(_ code: Int32 = errno) -> String {
    String(cString: strerror(code))
}
