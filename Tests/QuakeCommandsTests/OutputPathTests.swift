import ArgumentParser
import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

@testable import QuakeCommands

@Suite("Output paths", .endsInTime, .scratch) struct OutputPathTests {
    private let cache: MappedCache

    init() throws { cache = try .ofTest() }

    private var directory: ScratchDirectory { cache.directory }

    private static let suffixes = [
        "", "-wal", "-shm", "-journal", ".backfill-lock", ".before-restore", ".before-restore-2",
    ]

    /// Commands that write to the file at `path`.
    private static func writers(_ path: String) -> [[String]] {
        [
            ["map", "--format", "svg", "-o", path], ["list", "--ids", "-o", path],
            ["status", "-f", "json", "-o", path],
            ["changes", "--consumer", "alarm", "--count", "-o", path], ["backup", "--force", path],
            ["changes", "--token-file", path],
        ]
    }

    /// Expects that every command refuses to write to `path`, and that the directory stays unchanged.
    private func expectRefusal(
        of path: String, variables: [String: String] = [:], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let before = try contents()
        for arguments in Self.writers(path) {
            let outcome = try cache.run(arguments, variables: variables)
            #expect(outcome.status == .usage && outcome.output.isEmpty, "\(arguments)", sourceLocation: sourceLocation)
            #expect(
                outcome.errors.contains(" cannot be \(path), which is "), "\(outcome.errors)",
                sourceLocation: sourceLocation)
        }
        #expect(try contents() == before, sourceLocation: sourceLocation)
    }

    private func contents() throws -> [String: Data?] {
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.url.path)
        let pairs = names.map { ($0, FileManager.default.contents(atPath: directory.path($0))) }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    @Test(
        "No command accepts a file of its own cache as its output file",
        arguments: ["", "-wal", ".backfill-lock"])
    func ownCacheFiles(suffix: String) throws {
        try expectRefusal(of: directory.path("./quakes.db" + suffix))
    }

    @Test(
        "The check of output paths recognizes a cache file by any path, symbolic link or hard link", arguments: suffixes
    )
    func allPathsOfCacheFile(suffix: String) throws {
        let name = "quakes.db" + suffix
        let target = directory.path(name)
        try directory.write(Data("x".utf8), to: "quakes.db")
        let (link, folder, hard) = (directory.path("link"), directory.path("folder"), directory.path("hard"))
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: name)
        try FileManager.default.createSymbolicLink(atPath: folder, withDestinationPath: ".")
        for cache in ["quakes.db", "folder/quakes.db"].map(directory.path) {
            let files = CacheFiles(ofCacheAt: cache)
            for path in [target, directory.path(".//\(name)"), link, "\(folder)/\(name)"] {
                #expect(files.contains(path), "\(path)")
            }
            for other in ["quakes.db.svg", "quakes.d", "quakes.db-wal2", "other.db\(suffix)", "no/\(name)"] {
                #expect(!files.contains(directory.path(other)), "\(other)")
            }
            #expect(files.contains(target, sparesKept: true) == !suffix.hasPrefix(".before"))
        }
        if suffix != "" { try directory.write(Data("y".utf8), to: name) }
        try FileManager.default.linkItem(atPath: target, toPath: hard)
        #expect(CacheFiles(ofCacheAt: directory.path("quakes.db")).contains(hard))
    }

    @Test("No command accepts the cache of $QUAKES_DB or the user's default cache as its output file")
    func otherKnownCaches() throws {
        let other = try directory.write(Data("other".utf8), to: "other.db")
        try expectRefusal(of: other, variables: ["QUAKES_DB": other])
        try FileManager.default.createDirectory(atPath: directory.path("quakes"), withIntermediateDirectories: false)
        let own = try directory.write(Data("own".utf8), to: "quakes/quakes.db")
        try expectRefusal(of: own, variables: ["XDG_DATA_HOME": directory.url.path])
        try expectRefusal(of: own, variables: ["XDG_DATA_HOME": directory.url.path, "QUAKES_DB": other])
    }

    @Test("quakes map refuses to overwrite any cache, even one it does not read or a link to one") func anyCache()
        throws
    {
        let other = directory.path("other.db")
        _ = try QuakeContext(QuakeCache(path: other), access: .creating)
        let link = directory.path("link.svg")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: other)
        for path in [other, link] {
            let before = try Data(contentsOf: URL(filePath: other))
            #expect(try cache.run(["map", "--format", "svg", "-o", path]).status == .usage)
            #expect(try Data(contentsOf: URL(filePath: other)) == before)
        }
    }

    @Test("quakes backup to PATH is rejected if the file PATH.partial is the cache") func partialFileIsCache() throws {
        let path = directory.path("a.db.partial")
        _ = try QuakeContext(QuakeCache(path: path), access: .creating)
        let before = try contents()
        let command = try BackupCommand.parse(["--db", path, directory.path("a.db")])
        #expect(command.runReportingErrors(in: .test(output: try CapturedFile().stream)) == .usage)
        #expect(try contents() == before)
        let context = try QuakeContext(QuakeCache(path: path), access: .reading)
        #expect(throws: StoreError.backupInUse(path: directory.path("a.db"))) {
            try context.maintenance.backup(to: directory.path("a.db"))
        }
    }

    @Test(
        "The library refuses to write a backup over the cache, its log or its lock",
        arguments: ["", "-wal", ".backfill-lock"])
    func libraryBackup(suffix: String) throws {
        let path = directory.path("quakes.db")
        let context = try QuakeContext(QuakeCache(path: path), access: .creating)
        #expect(throws: StoreError.backupInUse(path: path + suffix)) {
            try context.maintenance.backup(to: path + suffix, replacing: true)
        }
    }

    @Test("A token file or a map that is also the command's standard output is rejected") func standardStreams() throws
    {
        let path = try directory.write(Data("kept".utf8), to: "output")
        let cache = directory.path("quakes.db")
        _ = try QuakeContext(QuakeCache(path: cache), access: .creating)
        let file = try FileHandle(forUpdating: URL(filePath: path))
        // Otherwise the descriptor may belong to another test by the time the commands check it.
        defer { withExtendedLifetime(file) {} }
        let errors = try CapturedFile()
        let output = StandardStream(descriptor: file.fileDescriptor, isTerminal: false)
        let environment = CommandEnvironment.test(output: output, errors: errors.stream)
        #expect(
            try ChangesCommand.parse(["--db", cache, "--token-file", path]).runReportingErrors(in: environment)
                == .usage)
        #expect(
            try MapCommand.parse(["--db", cache, "-f", "svg", "-o", path]).runReportingErrors(in: environment) == .usage
        )
        #expect(errors.text.contains("this command's own output"))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "kept")
    }

    @Test("Output to a file beside the cache, such as quakes.db.svg, is allowed") func allowedFiles() throws {
        let read = try cache.run("changes", "--no-ack", "--token-file", directory.path("quakes.db.backfill-lock"))
        #expect(read.status == .success)
        for name in ["quakes.db.svg", "quakes.db.backfill-lock.svg", "quakes.svg"] {
            #expect(try cache.run("map", "-o", directory.path(name)).status == .success)
        }
        #expect(try cache.run("backup", directory.path("quakes.db.backup")).status == .success)
    }

    @Test("quakes backup rejects \"-\" and a blank as the path of the backup", arguments: ["-", "", " \t"])
    func backupToStandardOutput(path: String) {
        #expect(throws: (any Error).self) { try QuakesCommand.parseAsRoot(["backup", path]) }
        #expect(throws: Never.self) { try QuakesCommand.parseAsRoot(["backup", "./" + path]) }
    }

    @Test(
        "A cache path of \":memory:\", a blank, a file: URI, or one that no shell has expanded is rejected",
        arguments: ["list", "changes"])
    func cacheMustBeFile(command: String) throws {
        let errors = try CapturedFile()
        for (path, isNamed) in [":memory:", " ", "file:q.db", "~/q.db", "$HOME/q.db"].flatMap({
            [($0, false), ($0, true)]
        }) {
            let variables = isNamed ? ["QUAKES_DB": path] : [:]
            let words = [command] + (variables.isEmpty ? ["--db", path] : [])
            let parsed = try #require(try QuakesCommand.parseAsRoot(words) as? any QuakesSubcommand)
            #expect(parsed.runReportingErrors(in: .test(output: errors.stream, variables: variables)) == .usage)
        }
        #expect(errors.text.contains("A cache must be a file"))
        #expect(errors.text.contains("write ./file:q.db"))
        for start in ["~", "$HOME"] { #expect(errors.text.contains("as nothing has replaced \(start).")) }
        #expect(!FileManager.default.fileExists(atPath: ":memory:.backfill-lock"))
    }
}
