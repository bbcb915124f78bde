enum OutputError: Error, Equatable {
    /// The reader has closed the pipe, as `head` does after ten lines. This is not a failure of the program.
    case closedPipe
    /// The program was asked to end while the reader was not reading.
    case interrupted
    case writeFailed(errno: Int32)
}
