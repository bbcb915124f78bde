import ArgumentParser
import QuakeStore

/// A command that does its work in a ``CommandEnvironment`` and says how it ended.
protocol EnvironmentCommand: ParsableCommand {
    var global: GlobalOptions { get }

    /// Does the work.
    func execute(in environment: CommandEnvironment) throws -> ExitStatus
}

extension EnvironmentCommand {
    func run() throws {
        let status = finish(in: .process)
        if status != .success { throw ExitCode(status.rawValue) }
    }

    /// Does the work and turns an error into words on standard error and a status. A usage error keeps its own way.
    func finish(in environment: CommandEnvironment) -> ExitStatus {
        do {
            try global.tell("the cache is \(global.databasePath(in: environment))", in: environment)
            return try execute(in: environment)
        } catch let error as ValidationError {
            Self.exit(withError: error)
        } catch {
            let message = ErrorMessage(error)
            message.print(on: environment.standardError)
            return message.status
        }
    }

    /// The cache that is meant, opened for `access`; `author` is recorded for what is changed.
    func context(
        in environment: CommandEnvironment, _ access: StoreConfiguration.Access, author: String = "quakes"
    ) throws -> QuakeContext {
        try store(in: environment).context(author: author, access: access)
    }

    func store(in environment: CommandEnvironment) -> QuakeCache {
        QuakeCache(
            path: global.databasePath(in: environment),
            configuration: StoreConfiguration(program: Program.name, now: environment.now))
    }
}
