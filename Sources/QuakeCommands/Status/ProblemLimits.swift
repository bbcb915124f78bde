/// Limits above which something counts as a problem.
struct ProblemLimits {
    /// The maximum time since the last success, unless `--max-age` replaces it.
    var age = Duration.seconds(86_400)
    /// The maximum age of the data, set by `--max-age`. By default (nil), the data must not have been older than its
    /// feed's period plus an hour when it was read, because there may be a gap after older data.
    var dataAge: Duration?
    /// The maximum time by which a snapshot may be dated ahead of this machine's clock.
    var clockDifference = Duration.seconds(600)
    /// The maximum number of changes that a consumer has not read.
    var unreadChanges = 100_000
    /// The maximum time since a consumer with unread changes last read.
    var silence = Duration.seconds(7 * 86_400)
    /// The maximum file size in bytes, applied only if the history has at least ten changes per quake.
    var fileBytes: Int64 = 1 << 30
    /// The maximum size of the write-ahead log in bytes. A refresh empties the log unless something keeps the cache
    /// open.
    var logBytes: Int64 = 64 << 20
}
