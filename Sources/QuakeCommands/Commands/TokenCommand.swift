import ArgumentParser
import QuakeStore

/// `quakes token`: the newest place in the history.
struct TokenCommand: EnvironmentCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Print the token of the newest place in the history.",
        discussion: """
            What came after it is what `quakes changes --since-token TOKEN` shows.

            EXAMPLES:
              before=$(quakes token); quakes refresh; quakes changes --since-token "$before"
            """)

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func execute(in environment: CommandEnvironment) throws -> ExitStatus {
        let head = try context(in: environment, .reading).head()
        let writer = ByteWriter(environment.standardOutput)
        writer.append("\(head)\n")
        try writer.flush()
        return .success
    }
}
