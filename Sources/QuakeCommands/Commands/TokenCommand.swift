import ArgumentParser
import QuakeStore

struct TokenCommand: QuakesSubcommand {
    static let configuration = described(
        "token", "Print a token that marks the current position in the history.",
        """
        Later, `quakes changes --since-token TOKEN` shows every change since then.

        EXAMPLES:
          before=$(quakes token); quakes refresh; quakes changes --since-token "$before"
        """)

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func execute(in environment: CommandEnvironment) throws -> ExitStatus {
        let head = try context(in: environment, .reading).history.currentToken()
        let writer = ByteWriter(environment.standardOutput)
        writer.append("\(head)\n")
        try writer.flush()
        return .success
    }
}
