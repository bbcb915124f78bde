import ArgumentParser
import FoundationEssentials
import Glibc
import QuakeMirror
import QuakeSystem

/// What a command gets from outside, as a value, so that a test can replace the terminal, the home directory or the
/// clock.
struct CommandEnvironment: Sendable {
    var standardOutput: StandardStream
    var standardError: StandardStream
    var variables: [String: String]
    /// The absolute path of the user's home directory; empty if there is none.
    var homeDirectory: String
    var now: @Sendable () -> Timestamp
    /// Downloads from servers.
    var transport = FetchProcess()

    static let process: CommandEnvironment = {
        let variables = ProcessInfo.processInfo.environment
        return CommandEnvironment(
            standardOutput: .process(descriptor: 1, variables: variables),
            standardError: .process(descriptor: 2, variables: variables), variables: variables,
            homeDirectory: variables["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? homeInPasswordFile,
            now: { Timestamp.now }, transport: FetchProcess(environment: variables))
    }()

    /// The home directory that the system has on record for the user.
    private static var homeInPasswordFile: String {
        getpwuid(getuid())?.pointee.pw_dir.map { String(cString: $0) } ?? ""
    }

    /// The value of an environment variable; nil when it is not set or empty.
    func variable(_ name: String) -> String? { variables[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// The cache that users without one of their own read; nil if there is to be none (an empty `$QUAKES_SYSTEM_DB`).
    var systemCache: String? {
        let path = variables["QUAKES_SYSTEM_DB"] ?? "/var/lib/quakes/quakes.db"
        return path.isEmpty ? nil : path
    }

    /// What writes to standard output; for people in characters that the terminal has.
    func writer(forPeople: Bool = true) -> ByteWriter {
        let writer = ByteWriter(standardOutput)
        writer.writesASCII = forPeople && standardOutput.isTerminal && !standardOutput.usesUnicode
        return writer
    }

    /// Whether maps may be drawn in Unicode, by the locale.
    var usesUnicode: Bool { StandardStream.usesUnicode(variables) }
}

/// A subcommand of `quakes`: it works in a ``CommandEnvironment`` and returns its exit status.
protocol EnvironmentCommand: ParsableCommand {
    var global: GlobalOptions { get }

    func execute(in environment: CommandEnvironment) throws -> ExitStatus
}

/// A command whose `--near` may name a quake of the cache.
protocol PlacedCommand: EnvironmentCommand {
    var center: PlaceArgument? { get set }
}

/// A command with all filters.
protocol FilteringCommand: PlacedCommand {
    var filters: FilterOptions { get set }
}

extension FilteringCommand {
    var center: PlaceArgument? {
        get { filters.common.center }
        set { filters.common.center = newValue }
    }
}

extension EnvironmentCommand {
    /// The configuration of a command: its name, what it does in a line, and more about it with examples.
    static func described(_ name: String, _ abstract: String, _ discussion: String) -> CommandConfiguration {
        CommandConfiguration(
            commandName: name, _superCommandName: QuakesCommand.name, abstract: abstract, discussion: discussion)
    }

    func run() throws {
        let status = finish(in: .process)
        if status != .success { throw ExitCode(status.rawValue) }
    }

    /// Runs the command. An error becomes a message on standard error and a status.
    func finish(in environment: CommandEnvironment) -> ExitStatus {
        do {
            guard var placed = self as? any PlacedCommand, placed.center?.quakeID != nil else {
                return try execute(in: environment)
            }
            try placed.center?.locate(in: context(in: environment, .reading))
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

    /// Opens the selected cache for `access`. `author` is recorded with every change.
    func context(
        in environment: CommandEnvironment, _ access: StoreConfiguration.Access, author: String = "quakes"
    ) throws -> QuakeContext {
        try store(in: environment, for: access).context(author: author, access: access)
    }

    /// Opens the selected cache to read quakes from; refuses one that no feed has ever filled.
    func filledContext(in environment: CommandEnvironment) throws -> QuakeContext {
        let context = try context(in: environment, .reading)
        try context.requireFilled()
        return context
    }

    /// The cache that is selected for `access`, not opened yet.
    func store(in environment: CommandEnvironment, for access: StoreConfiguration.Access) throws -> QuakeCache {
        let path = try global.databasePath(in: environment, for: access)
        // SQLite's name for a database in memory, which would be gone with the command.
        guard path != ":memory:", !path.isBlank else {
            throw ValidationError("A cache must be a file. For a file with this name, write \("./\(path)".shellWord).")
        }
        global.tell("the cache is \(path)", in: environment)
        return QuakeCache(path: path, configuration: StoreConfiguration(program: Program.name, now: environment.now))
    }
}

extension String {
    /// Whether it has nothing but white space, as the value of a variable that a script forgot to set.
    var isBlank: Bool { allSatisfy(\.isWhitespace) }
}

extension QuakeContext {
    /// Throws if no document was ever read into the cache, and nothing else wrote to it.
    func requireFilled() throws {
        guard try history.head().number == .zero, try sources.feeds().allSatisfy({ $0.lastSuccess == nil }),
            try sources.claims().isEmpty
        else { return }
        throw CommandError.neverFilled
    }
}

extension CommandError {
    /// No document was ever read into the cache.
    static let neverFilled = CommandError("No feed has been read yet.", "Run `quakes refresh`.", .noCache)
}
