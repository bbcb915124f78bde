import ArgumentParser

/// What every command understands.
struct GlobalOptions: ParsableArguments {
    @Option(
        name: .customLong("db"), help: ArgumentHelp("The cache's file; also $QUAKES_DB.", valueName: "path"),
        completion: .file(extensions: ["db"]))
    var databasePath: String?

    @Flag(name: [.customShort("q"), .customLong("quiet")], help: "Only errors on standard error.")
    var isQuiet = false

    @Flag(name: [.customShort("v"), .customLong("verbose")], help: "Say what is being done on standard error.")
    var isVerbose = false

    @Flag(name: .customLong("no-color"), help: "Never use colour.")
    var refusesColor = false

    func validate() throws {
        if isQuiet, isVerbose { throw ValidationError("--quiet and --verbose exclude each other.") }
        if databasePath?.isEmpty == true { throw ValidationError("--db needs a path.") }
    }

    /// The cache's file: `--db`, else `$QUAKES_DB`, else `quakes/quakes.db` in the user's data directory.
    ///
    /// That directory is `$XDG_DATA_HOME`, else `~/.local/share`. A relative `$XDG_DATA_HOME` is ignored, as the XDG
    /// Base Directory Specification asks.
    func databasePath(in environment: CommandEnvironment) -> String {
        if let path = databasePath ?? environment.variable("QUAKES_DB") { return path }
        let named = environment.variable("XDG_DATA_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        return "\(named ?? "\(environment.homeDirectory)/.local/share")/quakes/quakes.db"
    }

    /// Says on standard error what is being done, where `--verbose` asks for it.
    func tell(_ words: String, in environment: CommandEnvironment) throws {
        guard isVerbose else { return }
        let writer = ByteWriter(environment.standardError)
        writer.append(sanitized: "quakes: \(words)")
        writer.append("\n")
        try writer.flush()
    }

    /// Whether colour may be used on `stream`: only on a terminal that knows it, and only if nobody objects.
    ///
    /// `NO_COLOR` objects when it is not empty (no-color.org).
    func allowsColor(on stream: StandardStream, in environment: CommandEnvironment) -> Bool {
        stream.isTerminal && !refusesColor && environment.variable("NO_COLOR") == nil
            && environment.variable("TERM") != "dumb"
    }
}
