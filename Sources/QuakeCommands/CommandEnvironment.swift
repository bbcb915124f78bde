import ArgumentParser
import FoundationEssentials
import Glibc
import QuakeMirror
import QuakeSystem

/// The environment of a command as a value, so that tests can replace the terminal, the home directory or the clock.
struct CommandEnvironment: Sendable {
    var standardOutput: StandardStream
    var standardError: StandardStream
    var variables: [String: String]
    /// The absolute path of the user's home directory; empty if there is none.
    var homeDirectory: String
    var now: @Sendable () -> Timestamp
    var transport = FetchProcess()

    static let process: CommandEnvironment = {
        let variables = ProcessInfo.processInfo.environment
        return CommandEnvironment(
            standardOutput: .process(descriptor: 1, variables: variables),
            standardError: .process(descriptor: 2, variables: variables), variables: variables,
            homeDirectory: variables["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? homeInPasswordFile,
            now: { Timestamp.now }, transport: FetchProcess(environment: variables))
    }()

    /// The user's home directory according to the system's password file.
    private static var homeInPasswordFile: String {
        getpwuid(getuid())?.pointee.pw_dir.flatMap { String(validatingCString: $0) } ?? ""
    }

    /// Returns the value of an environment variable; nil if it is unset or empty.
    func variable(_ name: String) -> String? { variables[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// The path of the cache for users without a cache of their own; nil if disabled by an empty `$QUAKES_SYSTEM_DB`.
    var systemCache: String? {
        let path = variables["QUAKES_SYSTEM_DB"] ?? "/var/lib/quakes/quakes.db"
        return path.isEmpty ? nil : path
    }

    /// Returns a writer to standard output. Text for people uses only characters that the terminal supports.
    func writer(forPeople: Bool) -> ByteWriter {
        forPeople ? standardOutput.writerForPeople : ByteWriter(standardOutput)
    }

    /// Whether the locale allows Unicode characters in maps.
    var usesUnicode: Bool { StandardStream.usesUnicode(variables) }
}

/// A subcommand of `quakes`, which works in a ``CommandEnvironment`` and returns its exit status.
protocol EnvironmentCommand: ParsableCommand {
    var global: GlobalOptions { get }

    func execute(in environment: CommandEnvironment) throws -> ExitStatus
}

/// A command whose `--near` may refer to a quake in the cache.
protocol PlacedCommand: EnvironmentCommand { var centers: [PlaceArgument] { get set } }

/// A command that accepts all filters.
protocol FilteringCommand: PlacedCommand { var filters: FilterOptions { get set } }

extension FilteringCommand {
    var centers: [PlaceArgument] {
        get { filters.common.centers }
        set { filters.common.centers = newValue }
    }
}

extension EnvironmentCommand {
    /// Returns the configuration of a command with its name, a one-line summary, and a discussion with examples.
    static func described(_ name: String, _ abstract: String, _ discussion: String) -> CommandConfiguration {
        CommandConfiguration(
            commandName: name, _superCommandName: QuakesCommand.name, abstract: abstract, discussion: discussion)
    }

    func run() throws {
        let status = finish(in: .process)
        if status != .success { throw ExitCode(status.rawValue) }
    }

    /// Runs the command. An error results in a message on standard error and an exit status.
    func finish(in environment: CommandEnvironment) -> ExitStatus {
        do {
            guard var placed = self as? any PlacedCommand, placed.centers.contains(where: { $0.quakeID != nil }) else {
                return try execute(in: environment)
            }
            let context = try context(in: environment, .reading)
            for index in placed.centers.indices { try placed.centers[index].locate(in: context) }
            return try placed.execute(in: environment)
        } catch let error as ValidationError {
            UsageMessage.write("quakes: \(error.message)", on: environment.standardError)
            return .usage
        } catch {
            var message = CommandError(error)
            if case StoreError.noCache(let path) = error, global.databasePath != nil {
                message.remedy = "Create it with `quakes refresh --db \(path.shellWord)`, or check the path."
            }
            message.print(on: environment.standardError, global)
            return message.status
        }
    }

    /// Writes the report of a command that does one thing: a line for people or a record for programs.
    func report(_ line: String, _ record: Record, _ format: ReportFormat, in environment: CommandEnvironment) throws
        -> ExitStatus
    {
        let reporter = Reporter(environment, global, format)
        reporter.report(line, record)
        try reporter.finish()
        return .success
    }

    /// Opens the selected cache for `access`. `author` is recorded with every change.
    func context(
        in environment: CommandEnvironment, _ access: StoreConfiguration.Access, author: String = "quakes"
    ) throws -> QuakeContext {
        try store(in: environment, for: access).context(author: author, access: access)
    }

    /// Opens the selected cache for reading quakes. Throws if no feed has ever filled it.
    func filledContext(in environment: CommandEnvironment) throws -> QuakeContext {
        let context = try context(in: environment, .reading)
        try context.requireFilled()
        return context
    }

    /// Returns the cache selected for `access`, without opening it.
    func store(in environment: CommandEnvironment, for access: StoreConfiguration.Access) throws -> QuakeCache {
        let path = try global.databasePath(in: environment, for: access)
        // SQLite's name for an in-memory database, which would vanish when the command ends.
        guard path != ":memory:", !path.isBlank else {
            throw ValidationError(
                "A cache must be a file. To use a file with this name, write \("./\(path)".shellWord).")
        }
        global.tell("the cache is \(path)", in: environment)
        return QuakeCache(path: path, configuration: StoreConfiguration(program: Program.name, now: environment.now))
    }
}

extension String {
    /// Whether the text is empty or only white space, as when a script forgot to set a variable.
    var isBlank: Bool { allSatisfy(\.isWhitespace) }
}

extension QuakeContext {
    /// Throws ``CommandError/neverFilled`` if no document was ever read into the cache and nothing else wrote to it.
    func requireFilled() throws {
        guard try history.head().number == .zero, try sources.feeds().allSatisfy({ $0.lastSuccess == nil }),
            try sources.coveredRanges().isEmpty
        else { return }
        throw CommandError.neverFilled
    }
}

extension CommandError {
    static let neverFilled = CommandError("No feed has been read yet.", "Run `quakes refresh`.", .noCache)
}
