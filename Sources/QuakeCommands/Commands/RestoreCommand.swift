import ArgumentParser
import Glibc
import QuakeStore
import QuakeSystem

struct RestoreCommand: QuakesSubcommand {
    static let configuration = described(
        "restore", "Restore the cache from a backup.",
        """
        Checks the backup first. The state being replaced is kept next to the cache, with .before-restore added to \
        its name; restore that file to go back. An earlier file of that name is renamed to end in .before-restore-2. \
        Programs that have the cache open continue with the restored state.

        A consumer (a named reader of the changes) that has read further than the backup gets every quake again or, \
        with --exec-each, only the changes after the restore. If there was no cache, every consumer gets every quake \
        again or, with --exec-each, the changes after the backup. With --with-consumers, the consumers resume from \
        their positions in the backup.

        EXAMPLES:
          quakes restore /backup/quakes.db
          quakes restore --yes ~/.local/share/quakes/quakes.db.before-restore
        """)

    @Argument(help: ArgumentHelp("The backup file.", valueName: "path"), completion: .file(extensions: ["db"]))
    var path: String

    @Flag("--force", "Restore even if the backup belongs to another cache.") var isForced = false
    @Flag("--with-consumers", "Use the backup's consumers and positions, for a host that takes over from another.")
    var restoresConsumers = false
    @Flag("--yes", "Do not ask for confirmation (on a terminal).") var agrees = false

    @OptionGroup var reporting: ReportOptions

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func validate() throws { if path.isBlank { throw ValidationError("Give the path of the backup.") } }

    func execute(in environment: CommandEnvironment) throws -> ExitStatus {
        let cache = try store(in: environment, for: .writing)
        guard FileLocation.resolved(path) != FileLocation.resolved(cache.path) else {
            throw CommandError("\(path) is the cache itself.", "Choose a backup file.", .storageFailure)
        }
        guard FileLocation.status(of: path) != nil || errno != ENOENT else {
            throw CommandError("There is no file \(path).", "Check the path.", .storageFailure)
        }
        let bothExist = access(cache.path, F_OK) == 0 && access(path, F_OK) == 0
        if bothExist, !agrees, environment.standardOutput.isTerminal, isatty(STDIN_FILENO) == 1,
            !ConfirmationPrompt.isConfirmed("\(sides(cache, environment))\nReplace the cache with the backup?")
        {
            environment.standardError.writeLine("quakes: Nothing was restored.")
            return .success
        }
        let source = FileLocation.resolved(path)
        let restored = try cache.restore(from: path, acceptsOtherCache: isForced, restoresConsumers: restoresConsumers)
        let kept = restored.keptCopyPath.map { kept in
            "; the previous cache is now in \(kept)\(Self.moves(of: source, after: kept))"
        }
        return try report(
            "restored the cache from \(path), token \(restored.token)\(kept ?? "")",
            [
                "path": path, "token": restored.token.description,
                "replaced_token": restored.replaced?.description, "kept_path": restored.keptCopyPath,
            ], reporting.format, in: environment)
    }

    /// Returns a clause about older backups that the restore has moved. Empty unless the backup, at `source`, was
    /// itself kept by an earlier restore. `kept` is the path at which the previous cache was kept this time.
    private static func moves(of source: String, after kept: String) -> String {
        switch source {
        case kept: ", and the backup in \(kept)-2"
        case kept + "-2": ", and the older file of that name replaced the backup in \(kept)-2"
        default: ""
        }
    }

    /// Describes the contents of the cache and of the backup, one line each.
    private func sides(_ cache: QuakeCache, _ environment: CommandEnvironment) -> String {
        let backup = QuakeCache(path: path, configuration: cache.configuration)
        return [("cache", cache), ("backup", backup)].map { name, cache in
            // A damaged cache is a reason to restore; a damaged backup is rejected later.
            let contents = (try? QuakeContext(cache, access: .reading).contentWords) ?? "cannot be read"
            return name.padding(to: 8) + TerminalText.sanitized("\(cache.path): \(contents)")
        }.joined(separator: "\n")
    }
}

extension QuakeContext {
    /// A summary of the contents: `24 quakes, 3 transactions (the newest from 2026-11-22 10:00:03 UTC)`.
    fileprivate var contentWords: String {
        get throws {
            let (statistics, newest) = try snapshot {
                (try self.maintenance.statistics(), try history.transaction(history.currentToken().number))
            }
            let time = try newest?.time ?? history.floor().time
            let quakes = statistics.quakes.counted("quake")
            guard statistics.transactions > 0 else {
                return "\(quakes), no history" + (time.map { " (purged through \($0.momentWords))" } ?? "")
            }
            return "\(quakes), \(statistics.transactions.counted("transaction"))"
                + (time.map { " (the newest from \($0.momentWords))" } ?? "")
        }
    }
}
