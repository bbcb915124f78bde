import Foundation
import QuakeFeed
import QuakeModel

/// Everything a command gets from outside: streams, environment variables, home directory, clock, and the way to servers.
///
/// Commands take it as a value, so that a test can stand in for a terminal, a pipe, another home or another hour.
struct CommandEnvironment: Sendable {
    /// The file descriptor a feed is read from when its name is `-`.
    var standardInput: Int32 = 0
    var standardOutput: StandardStream
    var standardError: StandardStream
    /// Environment variables by name.
    var variables: [String: String]
    /// The absolute path of the user's home directory.
    var homeDirectory: String
    var now: @Sendable () -> Timestamp
    /// The way to servers.
    var transport = FetchProcess()

    /// The environment of the running process.
    static let process: CommandEnvironment = {
        let variables = ProcessInfo.processInfo.environment
        return CommandEnvironment(
            standardOutput: .process(descriptor: 1, variables: variables),
            standardError: .process(descriptor: 2, variables: variables),
            variables: variables,
            homeDirectory: variables["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? NSHomeDirectory(),
            now: { Timestamp.now }, transport: FetchProcess(environment: variables))
    }()

    /// The value of an environment variable; nil where it is not set or empty, which mean the same here.
    func variable(_ name: String) -> String? {
        variables[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}
