/// A problem with a cache or its updates, and the remedy.
struct StatusProblem {
    /// The kind of problem. Scripts and alerts rely on these names, which Documentation/commands.md lists.
    enum Code: String, CaseIterable {
        case neverRefreshed = "never-refreshed"
        case stale
        case datedAhead = "dated-ahead"
        case failingFeed = "failing-feed"
        case failingService = "failing-service"
        case unfinishedBackfill = "unfinished-backfill"
        case unreadHistory = "unread-history"
        case invalidToken = "invalid-token"
        case hardLinks = "hard-links"
        case largeFile = "large-file"
        case largeLog = "large-log"
        case newerProgram = "newer-program"
    }

    let code: Code
    /// The description, as a clause.
    let message: String
    /// The suggested command; nil if there is none.
    let command: String?

    init(_ code: Code, _ message: String, _ command: String?) {
        self.code = code
        self.message = message
        self.command = command
    }
}
