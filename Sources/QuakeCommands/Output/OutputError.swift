/// Why output could not be delivered.
enum OutputError: Error, Equatable {
    /// The reader has gone, as `head` does after its ten lines: not a failure of ours.
    case closedPipe
    /// The program was asked to end while the reader took nothing.
    case interrupted
    /// write(2) failed with this `errno`.
    case writeFailed(errno: Int32)
}
