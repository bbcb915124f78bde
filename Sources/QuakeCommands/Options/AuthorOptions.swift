import ArgumentParser

/// The author option of commands that change quakes or history.
struct AuthorOptions: ParsableArguments {
    @Option(
        "--author <name>",
        """
        The author to record with the changes, such as com.example.importer [$QUAKES_AUTHOR] (default: \
        quakes.COMMAND).
        """, visibility: .hidden)
    var author: String?

    /// Returns `--author`, otherwise `$QUAKES_AUTHOR`, otherwise `standard`, the name of the command.
    func author(in environment: CommandEnvironment, standard: String) -> String {
        author ?? environment.variable("QUAKES_AUTHOR") ?? standard
    }
}
