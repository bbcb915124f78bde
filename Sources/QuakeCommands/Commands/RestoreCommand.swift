import ArgumentParser
import Glibc
import QuakeModel
import QuakeOutput
import QuakeStore

/// `quakes restore`: gives the cache the state of a backup.
struct RestoreCommand: EnvironmentCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Give the cache the state of a backup.",
        discussion: """
            The backup is checked first. Programs that have the cache open go on with the restored state. The state \
            before is kept beside the cache, as PATH.before-restore. Consumers and tokens that are newer than the \
            backup get a resync at their next call.

            EXAMPLES:
              quakes restore /backup/quakes.db
              quakes restore --yes ~/.local/share/quakes/quakes.db.before-restore
            """)

    @Argument(help: ArgumentHelp("The backup.", valueName: "path"), completion: .file(extensions: ["db"]))
    var path: String

    @Flag(name: .customLong("force"), help: "Also restore the backup of another cache.")
    var isForced = false

    @Flag(name: .customLong("yes"), help: "Do not ask. Without a terminal nothing is asked.")
    var agrees = false

    @OptionGroup var reporting: ReportOptions

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func validate() throws {
        if path.isEmpty { throw ValidationError("The backup needs a path.") }
    }

    func execute(in environment: CommandEnvironment) throws -> ExitStatus {
        let cache = try store(in: environment, for: .writing)
        let exists = access(cache.path, F_OK) == 0
        if exists, !agrees, environment.standardOutput.isTerminal, isatty(STDIN_FILENO) == 1,
            !Question.isConfirmed("Replace \(cache.path) by \(path)?")
        {
            environment.standardError.writeLine("quakes: Nothing was restored.")
            return .success
        }
        let restored = try cache.restore(from: path, acceptsOtherCache: isForced)
        let kept = restored.kept.map { "; the state before is in \($0)" } ?? ""
        let report = ReportOutput(environment.standardOutput, reporting.format, isQuiet: global.isQuiet)
        report.write("restored \(path), token \(restored.token)\(kept)") { json in
            json.member("path", path)
            json.member("token", restored.token.description)
            json.member("replaced", restored.replaced?.description)
            json.member("kept", restored.kept)
        }
        try report.finish()
        return .success
    }
}

/// A question to the person at the terminal.
enum Question {
    /// Whether the answer is yes.
    static func isConfirmed(_ question: String) -> Bool {
        print(TerminalText.sanitized(question), terminator: " [y/N] ")
        fflush(nil)
        return ["y", "yes"].contains(readLine()?.lowercased())
    }
}
