/// The options for opening a cache.
public struct StoreConfiguration: Sendable {
    public enum Access: Sendable {
        case reading
        /// Read and write an existing cache.
        case writing
        /// Read and write, creating the file and its folder if they do not exist.
        case creating
    }

    /// The maximum time to wait while another process is writing; not negative.
    public var busyTimeout: Duration
    /// The program's name and version, recorded with every transaction.
    public var program: String
    /// The clock used to date transactions and consumers, and to measure the age of a quake.
    public var now: @Sendable () -> Timestamp
    /// The maximum number of ``QuakeCache/read(_:)`` calls that run at the same time, at least 1. Each has its own
    /// thread and connection. Further calls wait in order.
    public var maximumReaderCount = 5

    /// Creates a configuration; the defaults suit a command-line program.
    public init(
        busyTimeout: Duration = .seconds(10), program: String = "QuakeStore",
        now: @escaping @Sendable () -> Timestamp = { Timestamp.now }
    ) {
        self.busyTimeout = busyTimeout
        self.program = program
        self.now = now
    }
}
