import Glibc
import QuakeSystem

/// Standard output or standard error as a value: its descriptor, and what is known about its reader.
struct StandardStream: Sendable {
    /// The open file descriptor. This value does not close it.
    var descriptor: Int32
    var isTerminal: Bool
    /// The width in columns: `COLUMNS` if set, otherwise the width of the terminal, otherwise 80.
    var terminalColumns = 80
    /// The height in lines: `LINES` if set, otherwise the height of the terminal, otherwise 24.
    var terminalRows = 24

    var usesUnicode = true
    /// Signals that make writes throw ``OutputError/interrupted``; nil if signals end the process.
    var endingSignals: HeldSignals?

    /// The supported widths, in columns.
    static let columnBounds = 10...1000
    /// The supported heights, in lines.
    static let rowBounds = 5...1000

    /// The width of the terminal; nil if the stream is not a terminal.
    var columnsIfTerminal: Int? { isTerminal ? terminalColumns : nil }

    /// Returns the stream for `descriptor`. Asks the system whether it is a terminal, and for its size.
    ///
    /// Positive numbers in `COLUMNS` and `LINES` override the size that the terminal reports. The result is always
    /// within ``columnBounds`` and ``rowBounds``, so that code that draws or pads needs no limits.
    static func process(descriptor: Int32, variables: [String: String]) -> StandardStream {
        var stream = StandardStream(descriptor: descriptor, isTerminal: isatty(descriptor) == 1)
        var size = winsize()
        if stream.isTerminal, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 {
            if size.ws_col > 0 { stream.terminalColumns = Int(size.ws_col) }
            if size.ws_row > 0 { stream.terminalRows = Int(size.ws_row) }
        }
        stream.usesUnicode = usesUnicode(variables)
        if let columns = variables["COLUMNS"].flatMap({ Int($0) }), columns > 0 { stream.terminalColumns = columns }
        if let rows = variables["LINES"].flatMap({ Int($0) }), rows > 0 { stream.terminalRows = rows }
        stream.terminalColumns = min(max(stream.terminalColumns, columnBounds.lowerBound), columnBounds.upperBound)
        stream.terminalRows = min(max(stream.terminalRows, rowBounds.lowerBound), rowBounds.upperBound)
        return stream
    }

    /// Whether the locale uses UTF-8, according to the first of `LC_ALL`, `LC_CTYPE` and `LANG` that is not empty
    /// (POSIX).
    static func usesUnicode(_ variables: [String: String]) -> Bool {
        let values = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { variables[$0] }
        let encoding = values.first { !$0.isEmpty }?.uppercased() ?? ""
        return encoding.contains("UTF-8") || encoding.contains("UTF8")
    }

    /// A writer that uses only characters that the terminal supports.
    var writerForPeople: ByteWriter {
        let writer = ByteWriter(self)
        writer.writesASCII = isTerminal && !usesUnicode
        return writer
    }

    /// Prepares the three standard streams of this process. Call this once, before any file is opened.
    ///
    /// Afterward, a write to a pipe without a reader fails with ``OutputError/closedPipe`` instead of ending the
    /// process, and a write beyond the file size limit (`ulimit -f`) fails as on a full disk. A standard stream that
    /// the parent process has closed is opened on /dev/null in the wrong direction. So its descriptor number is not
    /// given to another file, but using it still fails.
    static func prepareProcess() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) == -1 {
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Writes a line for people, wrapped to the width of the terminal, with unsafe characters replaced. Failures are
    /// ignored, because this is meant for standard error, and they could not be reported anywhere else.
    func writeLine(_ text: String) {
        let writer = writerForPeople
        WrappedLines(writer, columns: columnsIfTerminal).append(text)
        try? writer.flush()
    }

    /// Waits until the reader has read all data written, as far as the system can tell. Throws
    /// ``OutputError/interrupted`` if `isInterrupted` returns true while some data is unread.
    ///
    /// Some file systems report a full disk only when a file is closed, so this closes a copy of the descriptor. A pipe
    /// accepts 64 KB even if nobody reads them. So its data counts as delivered once the pipe is empty, unless the
    /// reader has closed it, as `head` does.
    func confirmDelivery(isInterrupted: () -> Bool = { false }) throws(OutputError) {
        let copy = dup(descriptor)
        guard copy >= 0, close(copy) == 0 else { throw .writeFailed(errno: errno) }
        guard isPipe else { return }
        repeat {
            if readerIsGone(within: 10) { throw .closedPipe }
            if unreadBytes == 0 { return }
        } while !isInterrupted()
        throw .interrupted
    }

    /// The number of bytes in the pipe that the reader has not read yet; 0 if the stream is not a pipe.
    var unreadBytes: Int {
        var unread: Int32 = 0
        return isPipe && ioctl(descriptor, UInt(FIONREAD), &unread) == 0 ? Int(unread) : 0
    }

    /// Whether the stream still has a reader, as far as the system can tell.
    var hasReader: Bool { !readerIsGone(within: 0) }

    private var isPipe: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }

    /// Whether the reader of the pipe has closed it, or does so within `milliseconds`.
    private func readerIsGone(within milliseconds: Int32) -> Bool {
        var end = pollfd(fd: descriptor, events: 0, revents: 0)
        return poll(&end, 1, milliseconds) > 0 && end.revents & Int16(POLLERR) != 0
    }
}

extension ByteWriter {
    convenience init(_ stream: StandardStream) {
        self.init(descriptor: stream.descriptor)
        if let signals = stream.endingSignals { isInterrupted = { _ in signals.arrived != nil } }
    }
}
