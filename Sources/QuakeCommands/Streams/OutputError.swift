enum OutputError: Error, Equatable {
    /// The reader has closed the pipe, as `head` does after ten lines, which is not a failure of the program.
    case closedPipe
    /// A signal asked the program to end while it was writing.
    case interrupted
    case writeFailed(errno: Int32)
}
