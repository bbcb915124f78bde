import Foundation
import QuakeTestSupport
import Testing

@Suite("Token files", .endsInTime, .scratch) struct TokenFileTests {
    private let cache: Cache

    init() async throws { cache = try await .ofDay() }

    private var scratch: ScratchDirectory { cache.directory }

    @Test("quakes changes --token-file saves the newest token in the file") func replacedAfterOutput() async throws {
        let file = scratch.path("token")
        #expect(
            try await cache.output("changes", "--token-file", file).hasSuffix("\n24 changes, through transaction 1\n")
        )
        let token = try await cache.token()
        #expect(try String(contentsOfFile: file, encoding: .utf8) == token + "\n")
        #expect(try await cache.output("changes", "--token-file", file).hasPrefix("0 changes, "))
    }

    @Test(
        "quakes changes exits with 74 before any output if the token file cannot be replaced",
        arguments: [[], ["--follow", "--timeout", "1s"], ["--exec", "cat"]])
    func unreplaceableTokenFile(arguments: [String]) async throws {
        let pipe = scratch.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        for file in [scratch.url.path, scratch.path("missing/token"), "/proc/token", pipe] {
            let call = ["changes", "--since-token", "--token-file", file, "--format", "ndjson"] + arguments
            let result = try await cache.quakes.run(call)
            #expect(result.exitStatus == 74 && result.output.isEmpty, "\(file)")
            #expect(result.errorOutput.hasPrefix("quakes: Cannot use the token file \(file): "))
        }
        var status = stat()
        #expect(stat(pipe, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
    }

    @Test("quakes changes exits with 74 and names the target if the token file is a symbolic link")
    func tokenFileThatIsALink() async throws {
        let link = scratch.path("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "token")
        for isDangling in [true, false] {
            if !isDangling { try scratch.write(Data("beginning\n".utf8), to: "token") }
            let result = try await cache.run("changes", "--token-file", link)
            #expect(result.exitStatus == 74 && result.output.isEmpty)
            #expect(result.errorOutput.contains("\(link): it is a symbolic link to token."))
            #expect(FileManager.default.fileExists(atPath: scratch.path("token")) == !isDangling)
        }
    }

    @Test("quakes changes exits with 74 if the token file becomes unwritable while --exec runs")
    func tokenFileThatBecomesUnwritable() async throws {
        let folder = scratch.path("folder")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let result = try await cache.run(
            "changes", "--token-file", "\(folder)/token", "--exec", "wc -l; rm -r '\(folder)'")
        #expect(result.exitStatus == 74 && result.output == "25\n")
        #expect(result.errorOutput.contains("Cannot use the token file \(folder)/token: "))
    }

    // Proves promise 3 of reliability.md.
    @Test("If the --exec command fails, quakes changes leaves the token file untouched")
    func tokenFileAfterFailure() async throws {
        let file = try scratch.write(Data("beginning\n".utf8), to: "token")
        let before = try scratch.entry(of: "token")
        #expect(try await cache.quakes.run(["changes", "--token-file", file, "--exec", "false"]).exitStatus == 1)
        #expect(try scratch.entry(of: "token") == before)
        #expect(try await cache.output("changes", "--token-file", "/proc/token", "--no-ack").contains("24 changes"))
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch.url.path)
        #expect(!names.contains { $0.hasSuffix(".tmp") })
    }

    @Test(
        "quakes changes exits with 74 for another user's token file in a folder like /tmp",
        .enabled(if: Unprivileged.isPossible && geteuid() == 0))
    func tokenFileOfAnotherUser() async throws {
        let files = FileManager.default
        try files.setAttributes([.posixPermissions: 0o1777], ofItemAtPath: scratch.url.path)
        let file = try scratch.write(Data("beginning\n".utf8), to: "token")
        for name in try files.contentsOfDirectory(atPath: scratch.url.path) {
            try files.setAttributes([.posixPermissions: 0o666], ofItemAtPath: scratch.path(name))
        }
        let result = try await Unprivileged.run(cache.quakes, ["changes", "--token-file", file])
        #expect(result.exitStatus == 74 && result.output.isEmpty, "\(result.errorOutput)")
        let own = try await Unprivileged.run(cache.quakes, ["changes", "--token-file", scratch.path("own")])
        #expect(own.exitStatus == 0, "\(own.errorOutput)")
    }
}

extension ScratchDirectory {
    /// Values that reveal whether the file `name` was replaced or written to: its inode, bytes and modification time.
    fileprivate func entry(of name: String) throws -> [String] {
        let attributes = try FileManager.default.attributesOfItem(atPath: path(name))
        let bytes = try Data(contentsOf: URL(filePath: path(name)))
        return [FileAttributeKey.systemFileNumber, .modificationDate].map { "\(attributes[$0] ?? "")" }
            + [bytes.base64EncodedString()]
    }
}
