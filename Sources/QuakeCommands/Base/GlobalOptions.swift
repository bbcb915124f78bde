import ArgumentParser
import Glibc
import QuakeStore

struct GlobalOptions: ParsableArguments {
    @Option(
        "--db <path>",
        """
        The cache file [$QUAKES_DB] (default: ~/.local/share/quakes/quakes.db; if there is none, `changes` and \
        commands that only read use /var/lib/quakes/quakes.db).
        """,
        completion: .file(extensions: ["db"]))
    var databasePath: String?

    @Flag("-q --quiet", "Print no notes or reports, only results, errors and warnings.")
    var isQuiet = false

    @Flag(
        "-v --verbose",
        "Report each step on standard error, and print details that are otherwise only counted.")
    var isVerbose = false

    /// When to use color. With `auto`, the environment and the terminal decide.
    enum Coloring: String, WordArgument {
        case auto, always, never
    }

    @Option("--color <when>", "When to use color [$NO_COLOR, $CLICOLOR_FORCE, $CLICOLOR].")
    var coloring: Coloring = .auto

    func validate() throws {
        if isQuiet, isVerbose { throw ValidationError("--quiet and --verbose cannot be combined.") }
    }

    /// Returns the path of the cache: `--db`, otherwise `$QUAKES_DB`, otherwise `quakes/quakes.db` in the user's data
    /// directory. If neither is set and the user has no cache, a read-only command uses the system cache, if that
    /// exists.
    ///
    /// The data directory is `$XDG_DATA_HOME`, otherwise `~/.local/share`. The XDG Base Directory Specification
    /// requires that a relative `$XDG_DATA_HOME` be ignored.
    func databasePath(in environment: CommandEnvironment, for access: StoreConfiguration.Access) throws -> String {
        if let path = databasePath ?? Self.defaultDatabasePath(in: environment, for: access) { return path }
        throw ValidationError(
            "HOME is not set, and this account has no home directory. Name the cache with --db or QUAKES_DB.")
    }

    /// Returns the path of the cache if `--db` is not given; nil if neither a variable nor a home directory determines
    /// the path.
    static func defaultDatabasePath(in environment: CommandEnvironment, for access: StoreConfiguration.Access)
        -> String?
    {
        if let path = environment.variable("QUAKES_DB") { return path }
        let own = userDatabasePath(in: environment)
        guard access == .reading, let system = environment.systemCache, !(own.map(Self.holdsCache) ?? false)
        else { return own }
        return Self.holdsCache(system) ? system : own
    }

    static func userDatabasePath(in environment: CommandEnvironment) -> String? {
        let named = environment.variable("XDG_DATA_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        if named == nil, environment.homeDirectory.isEmpty { return nil }
        return "\(named ?? "\(environment.homeDirectory)/.local/share")/quakes/quakes.db"
    }

    /// Returns every cache that the command line or the environment names, whether or not this command uses it.
    func namedDatabasePaths(in environment: CommandEnvironment) -> [String] {
        let named = [databasePath, environment.variable("QUAKES_DB"), environment.systemCache]
        return (named + [Self.userDatabasePath(in: environment)]).compactMap { $0 }
    }

    /// Whether there may be a cache at `path`: a file that is not empty, or one that cannot be examined. Only a refresh
    /// turns an empty file into a cache.
    private static func holdsCache(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_size > 0 : errno != ENOENT && errno != ENOTDIR
    }

    /// Writes a remark, which is not part of the output, to standard error. Does nothing with `--quiet`.
    func remark(_ words: String?, in environment: CommandEnvironment) {
        if let words, !isQuiet { environment.standardError.writeLine("quakes: \(words)") }
    }

    /// Writes a step of the work to standard error with `--verbose`.
    func remarkIfVerbose(_ words: String, in environment: CommandEnvironment) {
        if isVerbose { environment.standardError.writeLine("quakes: \(words)") }
    }

    /// Whether to use color on `stream`, according to `--color`, `NO_COLOR` (no-color.org), `CLICOLOR_FORCE` and
    /// `CLICOLOR` (bixense.com/clicolors), in this order. Otherwise, uses color on a terminal, unless `TERM` is `dumb`.
    /// No variable turns color on for the file of `--output`.
    func allowsColor(on stream: StandardStream, in environment: CommandEnvironment) -> Bool {
        guard coloring == .auto else { return coloring == .always }
        if environment.variable("NO_COLOR") != nil { return false }
        let isForced = environment.variable("CLICOLOR_FORCE").map { $0 != "0" } ?? false
        if isForced, environment.document == nil { return true }
        return stream.isTerminal && environment.variable("CLICOLOR") != "0" && environment.allowsControlSequences
    }
}
