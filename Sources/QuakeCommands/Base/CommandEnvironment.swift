import FoundationEssentials
import Glibc
import QuakeMirror
import QuakeSystem

/// The environment of a command, as a value so that tests can replace the terminal, the home directory and the clock.
struct CommandEnvironment: Sendable {
    var standardOutput: StandardStream
    var standardError: StandardStream
    var variables: [String: String]
    /// The absolute path of the user's home directory; empty if there is none.
    var homeDirectory: String
    var now: @Sendable () -> Timestamp
    var transport = FetchProcess()
    /// The file of `--output`, which replaces standard output; nil without `--output`.
    var document: DocumentFile?

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

    /// The path of the system cache, which is read by users who have no cache. Nil if `$QUAKES_SYSTEM_DB` is empty.
    var systemCache: String? {
        let path = variables["QUAKES_SYSTEM_DB"] ?? "/var/lib/quakes/quakes.db"
        return path.isEmpty ? nil : path
    }

    /// Returns a writer to standard output. With `forPeople`, it writes only characters that the terminal supports.
    func writer(forPeople: Bool) -> ByteWriter {
        forPeople ? standardOutput.writerForPeople : ByteWriter(standardOutput)
    }

    /// Waits until all output has arrived. With `--output`, the file is then complete and on disk. For a pipe, the
    /// reader has read everything, as far as the system can tell.
    func confirmDelivery() throws {
        try standardOutput.confirmDelivery()
        try document?.moveIntoPlace()
    }

    /// Whether `TERM` says that the terminal understands control sequences.
    var allowsControlSequences: Bool { variable("TERM").map { $0 != "dumb" } ?? false }
}
