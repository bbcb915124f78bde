import ArgumentParser
import QuakeStore

struct TokenCommand: QuakesSubcommand {
    static let configuration = described(
        "token", "Print the token of the newest transaction.",
        """
        `quakes changes --since-token TOKEN` then shows every change since.

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
