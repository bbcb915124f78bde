import Glibc

/// Standard output or standard error as a value: where the bytes go, and what reads them.
package struct StandardStream: Sendable {
    /// The open file descriptor. This value does not close it.
    package var descriptor: Int32
    package var isTerminal: Bool
    /// The width of the terminal in columns; without a terminal, that of `COLUMNS`, otherwise 80.
    package var terminalColumns = 80
    /// The height of the terminal in lines; without a terminal, that of `LINES`, otherwise 24.
    package var terminalRows = 24

    package var usesUnicode = true

    package init(descriptor: Int32, isTerminal: Bool) { (self.descriptor, self.isTerminal) = (descriptor, isTerminal) }

    /// The widths and heights of a terminal that output is made for.
    package static let columnBounds = 10...1000
    package static let rowBounds = 5...1000

    /// The width of the terminal; nil if the stream is not connected to one.
    package var columnsOfTerminal: Int? { isTerminal ? terminalColumns : nil }

    /// The stream on `descriptor`; asks the system whether it is a terminal and how large.
    ///
    /// Positive numbers in `COLUMNS` and `LINES` override the size that the terminal reports. Whatever says it, the
    /// size is within ``columnBounds`` and ``rowBounds``: what draws and pads needs no limits of its own.
    package static func process(descriptor: Int32, variables: [String: String]) -> StandardStream {
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

    /// Whether the locale's encoding is UTF-8, by the first of `LC_ALL`, `LC_CTYPE` and `LANG` that is set (POSIX).
    package static func usesUnicode(_ variables: [String: String]) -> Bool {
        let values = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { variables[$0] }
        let encoding = values.first { !$0.isEmpty }?.uppercased() ?? ""
        return encoding.contains("UTF-8") || encoding.contains("UTF8")
    }

    /// A writer of text for people.
    package var writerForPeople: ByteWriter {
        let writer = ByteWriter(self)
        writer.writesASCII = isTerminal && !usesUnicode
        return writer
    }

    /// Prepares the three standard streams of this process. Called once, before any file is opened.
    ///
    /// A write to a pipe without a reader then fails with ``OutputError/closedPipe`` instead of ending the process, and
    /// one beyond the largest file allowed (`ulimit -f`) fails like one to a full disk. A standard stream that the
    /// parent has closed is opened on /dev/null in the wrong direction: no other file can take its number, and using it
    /// still fails.
    package static func prepareProcess() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) == -1 {
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Writes one line for a person, unsafe characters replaced, broken between words where it is longer than the
    /// terminal. For standard error: a failure to write there is ignored, because there is nowhere to report it.
    package func writeLine(_ text: String) {
        let writer = writerForPeople
        WrappedLines(writer, columns: columnsOfTerminal).append(text)
        try? writer.flush()
    }

    /// Waits until the reader has taken everything that was written, as far as the system can tell. Throws
    /// ``OutputError/interrupted`` when data is still unread and `isInterrupted` returns true.
    ///
    /// Some file systems report a full disk only when a file is closed. A pipe accepts 64 KB that nobody reads, so its
    /// data counts as delivered when the pipe is empty and the reader has not closed it right afterward, as `head`
    /// does.
    package func confirmDelivery(isInterrupted: () -> Bool = { false }) throws(OutputError) {
        let copy = dup(descriptor)
        guard copy >= 0, close(copy) == 0 else { throw .writeFailed(errno: errno) }
        guard isPipe else { return }
        repeat {
            if readerIsGone(within: 10) { throw .closedPipe }
            if unreadBytes == 0 { return }
        } while !isInterrupted()
        throw .interrupted
    }

    /// Bytes in the pipe that the reader has not taken yet; 0 for anything but a pipe.
    package var unreadBytes: Int {
        var unread: Int32 = 0
        return isPipe && ioctl(descriptor, UInt(FIONREAD), &unread) == 0 ? Int(unread) : 0
    }

    /// Whether the stream still has a reader, as far as the system can tell.
    package var hasReader: Bool { !readerIsGone(within: 0) }

    private var isPipe: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }

    /// Whether the reader of a pipe has closed it, or does so within `milliseconds`.
    private func readerIsGone(within milliseconds: Int32) -> Bool {
        var end = pollfd(fd: descriptor, events: 0, revents: 0)
        return poll(&end, 1, milliseconds) > 0 && end.revents & Int16(POLLERR) != 0
    }
}

package enum OutputError: Error, Equatable {
    /// The reader has closed the pipe, as `head` does after ten lines. This is not a failure of the program.
    case closedPipe
    /// The program was asked to end while the reader took no data.
    case interrupted
    case writeFailed(errno: Int32)
}
