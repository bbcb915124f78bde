import QuakeSystem

/// Composes command lines to suggest, so that they use the same cache.
struct SuggestedCommand {
    /// The path for `--db`; nil if the command finds the cache without it.
    var path: String?
    /// The user who may write to the cache; nil for the current user.
    var user: String?

    /// Returns the command line for `words`: `sudo -u quakes quakes refresh --db /var/lib/quakes/quakes.db`.
    func line(_ words: String...) -> String {
        let option = path.map { ["--db", $0] } ?? []
        let user = user.map { ["sudo", "-u", $0] } ?? []
        return (user + ["quakes"] + words + option).map(\.shellWord).joined(separator: " ")
    }
}
