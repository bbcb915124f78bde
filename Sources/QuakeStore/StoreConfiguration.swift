public import QuakeModel

/// How a cache is opened.
public struct StoreConfiguration: Sendable {
    /// What a context may do with the file.
    public enum Access: Sendable {
        /// Read an existing cache.
        case reading
        /// Read and write an existing cache.
        case writing
        /// Read and write; make the file and its folder where there is none.
        case creating
    }

    /// How long to wait for another process that is writing.
    public var busyTimeout: Duration
    /// Name and version recorded with every transaction.
    public var program: String

    /// The clock that dates transactions and consumers.
    public var now: @Sendable () -> Timestamp

    /// A configuration; the defaults suit a command-line program.
    public init(
        busyTimeout: Duration = .seconds(10), program: String = "QuakeStore",
        now: @escaping @Sendable () -> Timestamp = { Timestamp.now }
    ) {
        self.busyTimeout = busyTimeout
        self.program = program
        self.now = now
    }
}
