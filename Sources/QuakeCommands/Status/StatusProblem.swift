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

        /// Whether the data is missing or old, which `status --check` reports as critical. A failed request is not
        /// critical, because the next one may succeed. If none does, the data becomes stale.
        var isCritical: Bool { self == .neverRefreshed || self == .stale }
    }

    let code: Code
    /// The description, as a clause.
    let summary: String
    /// Sentences that say what to expect or to do, shown before the command; nil if there are none.
    private let explanation: String?
    /// The suggested command; nil if there is none.
    let command: String?

    /// The description with its explanation.
    var message: String { [summary, explanation].compactMap(\.self).joined(separator: ". ") }

    init(_ code: Code, _ summary: String, explanation: String? = nil, _ command: String?) {
        self.code = code
        self.summary = summary
        self.explanation = explanation
        self.command = command
    }
}
