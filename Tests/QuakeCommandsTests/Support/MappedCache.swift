import ArgumentParser
import QuakeStore
import QuakeTestSupport
import Testing

@testable import QuakeCommands

/// A cache of three quakes, one of them renamed and revised, and the output of `map` and `show` for it.
struct MappedCache {
    static let renamed = "us7000abcd"

    private let path: String
    let directory: ScratchDirectory

    /// Creates a cache in `directory`; unless `isFilled`, nothing has ever been read into it.
    init(in directory: ScratchDirectory, isFilled: Bool = true) throws {
        self.directory = directory
        path = directory.path("quakes.db")
        let store = QuakeCache(
            path: path, configuration: StoreConfiguration(program: "tests", now: { Timestamp.sample }))
        let context = try QuakeContext(store, access: .creating)
        guard isFilled else { return }
        try context.write { writer in
            try writer.insert(MappedCache.quake("ak100", 3.4, latitude: 61, longitude: -150), reason: .new)
            try writer.insert(MappedCache.quake("us200", 6.1, latitude: -20, longitude: 179), reason: .new)
            try writer.insert(MappedCache.quake("ci300", 4.4, latitude: 35, longitude: -117), reason: .new)
        }
        try context.write { writer in
            let stored = try #require(try context.quake(id: "ci300"))
            var revised = MappedCache.quake(MappedCache.renamed, 4.6, latitude: 35, longitude: -117)
            revised.ids = PublishedSet(members: ["ci300", MappedCache.renamed])
            _ = try writer.update(stored, to: revised, reason: .renamed)
            try writer.assign(alias: MappedCache.renamed, to: stored.key)
        }
    }

    /// Creates a cache in the test's directory. The suite must have the trait `.scratch`.
    static func ofTest(isFilled: Bool = true) throws -> MappedCache {
        try MappedCache(in: .ofTest(), isFilled: isFilled)
    }

    /// Returns a context that can write to the cache.
    func context() throws -> QuakeContext { try QuakeContext(QuakeCache(path: path)) }

    /// A command's exit status and output.
    struct Outcome {
        var status: QuakeCommands.ExitStatus
        var output: String
        var errors: String
    }

    /// Runs `quakes` with `arguments`, on a terminal of `columns` × `rows` if given, otherwise in a pipe.
    func run(
        _ arguments: String..., terminal: (columns: Int, rows: Int)? = nil,
        variables: [String: String] = ["LC_ALL": "C.UTF-8"]
    ) throws -> Outcome {
        try run(arguments, terminal: terminal, variables: variables)
    }

    /// Runs `quakes` with `arguments`.
    func run(
        _ arguments: [String], terminal: (columns: Int, rows: Int)? = nil,
        variables: [String: String] = ["LC_ALL": "C.UTF-8"]
    ) throws -> Outcome {
        let (output, errors) = (try CapturedFile(), try CapturedFile())
        var stream = StandardStream(descriptor: output.descriptor, isTerminal: terminal != nil)
        if let terminal { (stream.terminalColumns, stream.terminalRows) = terminal }
        stream.usesUnicode = StandardStream.usesUnicode(variables)
        let environment = CommandEnvironment.test(output: stream, errors: errors.stream, variables: variables)
        let words = [arguments[0], "--db", path] + arguments.dropFirst()
        let command = try #require(try QuakesCommand.parseAsRoot(words) as? any QuakesSubcommand)
        let status = command.runReportingErrors(in: environment)
        return Outcome(status: status, output: output.text, errors: errors.text)
    }

    private static func quake(_ id: String, _ magnitude: Double, latitude: Double, longitude: Double) -> Quake {
        Quake(
            sample: id, at: Hypocenter(longitude: longitude, latitude: latitude, depthKilometers: 12),
            magnitude: magnitude, place: "near \(id)")
    }
}
