/// The limits beyond which something is a problem.
struct ProblemLimits {
    /// The maximum time since anything was read successfully. `--max-age` replaces it.
    var age = Duration.seconds(86_400)
    /// The maximum age of the data, set by `--max-age`. If nil, the newest document may have been, when it was last
    /// read, as old as the period of its feed (a day if unknown) plus an hour. After an older document, there may be a
    /// gap.
    var dataAge: Duration?
    /// How far the publication time of a snapshot may be ahead of this machine's clock.
    var clockDifference = Duration.seconds(600)
    /// The maximum number of changes that a consumer may leave unread.
    var unreadChanges = 100_000
    /// The maximum time since a consumer with unread changes last read.
    var consumerSilence = Duration.seconds(7 * 86_400)
    /// The maximum size of the file in bytes. A larger file is a problem only if there are at least ten changes per
    /// quake.
    var fileBytes: Int64 = 1 << 30
    /// The maximum size of the write-ahead log in bytes. A refresh empties the log unless another program keeps it in
    /// use.
    var logBytes: Int64 = 64 << 20
}
