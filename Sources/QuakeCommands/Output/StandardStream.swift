import Foundation

/// Standard output or standard error as a value: where the bytes go, and what reads them.
struct StandardStream: Sendable {
    /// The open file descriptor. Not closed by this value.
    var descriptor: Int32
    /// Whether a terminal reads the stream.
    var isTerminal: Bool
    /// The terminal's width in columns; without meaning where ``isTerminal`` is false.
    var terminalColumns = 80

    /// The stream on `descriptor`, of which the system is asked whether it is a terminal and how wide.
    ///
    /// `COLUMNS`, where it holds a positive number, goes before what the terminal says.
    static func process(descriptor: Int32, variables: [String: String]) -> StandardStream {
        guard isatty(descriptor) == 1 else { return StandardStream(descriptor: descriptor, isTerminal: false) }
        var stream = StandardStream(descriptor: descriptor, isTerminal: true)
        if let columns = variables["COLUMNS"].flatMap({ Int($0) }), columns > 0 {
            stream.terminalColumns = columns
        } else {
            var size = winsize()
            if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
                stream.terminalColumns = Int(size.ws_col)
            }
        }
        return stream
    }

    /// Waits until what was written has arrived as far as the system can tell, or throws.
    ///
    /// Some file systems report a full disk only when a file is closed. A pipe takes 64 KB without anybody reading: it counts
    /// once it is empty, and its reader has not gone right after, as `head` does, instead of waiting for the end.
    func confirmDelivery() throws(OutputError) {
        let copy = dup(descriptor)
        guard copy >= 0, close(copy) == 0 else { throw .writeFailed(errno: errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return }
        var unread: Int32 = 0
        repeat {
            guard ioctl(descriptor, UInt(FIONREAD), &unread) == 0 else { return }
            if readerIsGone(within: 10) { throw .closedPipe }
        } while unread > 0
    }

    /// Whether somebody still reads the stream, as far as the system tells.
    var hasReader: Bool { !readerIsGone(within: 0) }

    /// Whether the reader of a pipe closes it within so many milliseconds, or has done so.
    private func readerIsGone(within milliseconds: Int32) -> Bool {
        var end = pollfd(fd: descriptor, events: 0, revents: 0)
        return poll(&end, 1, milliseconds) > 0 && end.revents & Int16(POLLERR) != 0
    }

    /// Makes a write to a pipe nobody reads any more fail with ``OutputError/closedPipe`` instead of ending the
    /// process. Called once, before anything is written.
    static func ignoreClosedPipeSignal() {
        signal(SIGPIPE, SIG_IGN)
    }
}
