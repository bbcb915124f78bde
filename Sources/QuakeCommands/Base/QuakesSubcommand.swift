import ArgumentParser
import QuakeStore
import QuakeSystem

/// A subcommand of `quakes`. It works in a ``CommandEnvironment`` and returns an exit status.
protocol QuakesSubcommand: ParsableCommand {
    var global: GlobalOptions { get }

    /// Replaces option values that need the cache, such as a quake for `--near`. Called before ``execute(in:)``.
    mutating func prepare(in environment: CommandEnvironment) throws

    func execute(in environment: CommandEnvironment) throws -> ExitStatus

    /// Executes the command; with `--output`, its standard output goes to the file.
    func perform(in environment: CommandEnvironment) throws -> ExitStatus

    /// Runs the command, reports any error, and returns the exit code of the process.
    func exitCode(in environment: CommandEnvironment) -> ExitCode
}

extension QuakesSubcommand {
    /// Returns the configuration of a command with its name, a one-line summary, and a discussion with examples.
    static func described(_ name: String, _ abstract: String, _ discussion: String) -> CommandConfiguration {
        CommandConfiguration(
            commandName: name, _superCommandName: Program.command, abstract: abstract, discussion: discussion)
    }

    func prepare(in environment: CommandEnvironment) throws {}

    func perform(in environment: CommandEnvironment) throws -> ExitStatus { try execute(in: environment) }

    func run() throws {
        let code = exitCode(in: .process)
        if !code.isSuccess { throw code }
    }

    func exitCode(in environment: CommandEnvironment) -> ExitCode { runReportingErrors(in: environment).exitCode }

    /// Runs the command. If it throws, writes the error to standard error and returns the status of the error.
    func runReportingErrors(in environment: CommandEnvironment) -> ExitStatus {
        do {
            var command = self
            try command.prepare(in: environment)
            return try command.perform(in: environment)
        } catch let error as ValidationError {
            UsageMessage.write("quakes: \(error.message)", on: environment.standardError)
            return .usage
        } catch {
            var message = CommandError(error)
            if case StoreError.noCache(let path) = error, global.databasePath != nil {
                message.remedy =
                    path.hasPrefix("file:")
                    ? "--db takes the path of a file, not a URI."
                    : "Check the path, or create a cache there with `quakes refresh --db \(path.shellWord)`."
            }
            message.print(on: environment.standardError, global)
            return message.status
        }
    }

    /// Writes the only report of a command: `line` for people or `record` as JSON, depending on `format`.
    func report(_ line: String, _ record: Record, _ format: ReportOptions.Format, in environment: CommandEnvironment)
        throws
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
        try QuakeContext(store(in: environment, for: access), author: author, access: access)
    }

    /// Opens the selected cache for reading quakes. Throws if no feed has ever been read into it.
    func filledContext(in environment: CommandEnvironment) throws -> QuakeContext {
        let context = try context(in: environment, .reading)
        try context.requireFilled()
        return context
    }

    /// Returns the cache selected for `access`, without opening it.
    func store(in environment: CommandEnvironment, for access: StoreConfiguration.Access) throws -> QuakeCache {
        let path = try global.databasePath(in: environment, for: access)
        // In the files of cron and systemd, no shell replaces these.
        if let first = path.first, "~$%".contains(first) {
            throw ValidationError(
                "The cache's path begins with \(first), as nothing has replaced \(path.prefix { $0 != "/" }). "
                    + "Write the whole path or, for a file with this name, \("./\(path)".shellWord).")
        }
        guard QuakeCache.isFilePath(path), !path.isBlank else {
            throw ValidationError(
                "A cache must be a file. To use a file with this name, write \("./\(path)".shellWord).")
        }
        global.remarkIfVerbose("the cache is \(path)", in: environment)
        return QuakeCache(path: path, configuration: StoreConfiguration(program: Program.name, now: environment.now))
    }
}
