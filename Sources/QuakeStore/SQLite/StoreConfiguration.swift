import QuakeSystem

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
    /// The name of the program, and perhaps its version, recorded with every transaction. The program is also the
    /// author of transactions for which no author is named. The default is the name of the executable.
    public var program: String
    /// The clock used to date transactions and consumers, and to measure the age of a quake.
    public var now: @Sendable () -> Timestamp
    /// The maximum number of ``QuakeCache/read(_:)`` calls that run at the same time, at least 1. Each has its own
    /// thread and connection. Further calls wait in order.
    public var maximumReaderCount = 5

    /// Creates a configuration; the defaults suit a command-line program.
    public init(
        busyTimeout: Duration = .seconds(10), program: String? = nil,
        now: @escaping @Sendable () -> Timestamp = { Timestamp.now }
    ) {
        self.busyTimeout = busyTimeout
        self.program = program ?? Self.executableName
        self.now = now
    }

    /// The name with which the running program was started.
    private static var executableName: String {
        let name = FileLocation.name(in: CommandLine.arguments.first ?? "")
        return name.isEmpty ? "unknown" : String(name)
    }
}
