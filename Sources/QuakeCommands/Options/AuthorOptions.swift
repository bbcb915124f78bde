import ArgumentParser

/// Whom the changes a command makes are recorded for. Only commands that change quakes or history take it.
struct AuthorOptions: ParsableArguments {
    @Option(
        name: .customLong("author"),
        help: ArgumentHelp(
            "The author recorded for changes made here, such as com.example.importer.", valueName: "name"))
    var author: String?

    func validate() throws {
        if author?.isEmpty == true { throw ValidationError("--author needs a name.") }
    }

    /// Whom changes are recorded for: `--author`, else `$QUAKES_AUTHOR`, else `standard`, the command's own name.
    func author(in environment: CommandEnvironment, standard: String) -> String {
        author ?? environment.variable("QUAKES_AUTHOR") ?? standard
    }
}
