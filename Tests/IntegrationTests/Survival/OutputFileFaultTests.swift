import Foundation
import QuakeTestSupport
import Testing

/// Faults while a command writes the file of `--output`.
@Suite(
    "Faults in the file of --output", .endsInTime, .scratch,
    .disabled(if: Sanitizer.isActive, "strace and a sanitizer would have to watch the same process"),
    .enabled(if: SystemCallTrace.isPossible, "strace is missing, or the system does not let it work"))
struct OutputFileFaultTests {
    /// A command that writes 2 MB, 64 KB at a time, over the file `old` in a folder of its own.
    private struct Writing {
        let cache: Cache
        let folder: String
        let words: [String]

        var file: String { folder + "/out.ndjson" }

        init() async throws {
            let (cache, scratch) = try Cache.andFolderOfTest()
            let feed = try scratch.write(ManyQuakes.feed(3000), to: "many.geojson")
            try await cache.output("refresh", feed)
            self.cache = cache
            folder = scratch.path("folder")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            words = ["list", "--output", folder + "/out.ndjson"]
            try Data("old".utf8).write(to: URL(filePath: file))
        }

        func expectOldFile(_ comment: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(names == ["out.ndjson"], "\(comment)", sourceLocation: sourceLocation)
            let text = try String(contentsOfFile: file, encoding: .utf8)
            #expect(text == "old", "\(comment)", sourceLocation: sourceLocation)
        }

        func expectNewFile() async throws {
            let printed = try await cache.output("list", "--format", "ndjson")
            #expect(try String(contentsOfFile: file, encoding: .utf8) == printed)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["out.ndjson"])
        }
    }

    @Test(
        "A command killed while it writes its --output file leaves the old file and no draft",
        arguments: [("KILL", SIGKILL), ("TERM", SIGTERM), ("INT", SIGINT)])
    func killed(name: String, number: Int32) async throws {
        let writing = try await Writing()
        for ordinal in [1, 10, 20] {
            let result = try await SystemCallTrace.run(
                writing.cache.quakes, writing.words, with: "signal=\(name):when=\(ordinal)", in: "write")
            #expect(result.ending == .signaled(number), "\(ordinal): \(result.errorOutput)")
            try writing.expectOldFile("\(name) \(ordinal)")
        }
    }

    @Test(
        "If the --output file cannot be written or synced, the status is 74 and the old file stays",
        arguments: [
            ("write", "ENOSPC:when=3"), ("write", "EIO:when=1"), ("fsync", "EIO:when=1"), ("linkat", "EDQUOT"),
            ("rename", "EACCES"),
        ])
    func failedCalls(call: String, fault: String) async throws {
        let writing = try await Writing()
        let result = try await SystemCallTrace.run(
            writing.cache.quakes, writing.words, with: "error=" + fault, in: call)
        #expect(result.exitStatus == 74 && result.output.isEmpty, "\(result.ending)")
        #expect(result.errorOutput.hasPrefix("quakes: ") && result.errorOutput.contains(writing.file))
        try writing.expectOldFile("\(call) \(fault)")
    }

    @Test("At the file size limit (ulimit -f), the status is 74 and the old file stays") func fileSize() async throws {
        let writing = try await Writing()
        let shell = ProcessRunner(path: "/bin/sh", environment: writing.cache.quakes.environment)
        let line = ([writing.cache.quakes.executable] + writing.words).map { "'\($0)'" }.joined(separator: " ")
        let result = try await shell.run("-c", "ulimit -f 512; exec \(line)")
        #expect(result.exitStatus == 74 && result.errorOutput.contains("File too large"), "\(result.errorOutput)")
        try writing.expectOldFile("ulimit")
    }

    @Test("On a file system without nameless files, SIGTERM removes the draft, and --output works")
    func namedDraft() async throws {
        let writing = try await Writing()
        func run(_ fault: String) async throws -> ProcessResult {
            // The folder is opened only for a nameless file, and to sync it.
            try await SystemCallTrace.run(
                writing.cache.quakes, writing.words, with: "error=EOPNOTSUPP" + fault, in: "openat", at: writing.folder)
        }
        let ended = try await run(":signal=TERM")
        #expect(ended.ending == .signaled(SIGTERM), "\(ended.errorOutput)")
        try writing.expectOldFile("SIGTERM")
        let result = try await run("")
        #expect(result.exitStatus == 0 && result.errorOutput.isEmpty, "\(result.errorOutput)")
        try await writing.expectNewFile()
    }

    @Test("Two commands that write one --output file at once leave the whole output of one of them")
    func twoAtOnce() async throws {
        let writing = try await Writing()
        let other = ["--max-mag", "3"]
        let quakes = writing.cache.quakes
        let whole = try await quakes.run(["list", "--format", "ndjson"]).output
        let part = try await quakes.run(["list", "--format", "ndjson"] + other).output
        #expect(part != whole)
        for _ in 0..<Thoroughness.count(5, of: 100) {
            async let first = quakes.run(writing.words)
            async let second = quakes.run(writing.words + other)
            let results = try await [first, second]
            #expect(results.allSatisfy { $0.exitStatus == 0 })
            let text = try String(contentsOfFile: writing.file, encoding: .utf8)
            #expect(text == whole || text == part)
            #expect(try FileManager.default.contentsOfDirectory(atPath: writing.folder) == ["out.ndjson"])
        }
    }

    // Proves promise 3 of reliability.md.
    @Test(
        "If changes --output is killed at any system call, whole files have every change",
        arguments: [["--since-token"], ["--consumer", "alarm"], ["--token-file", "token"]])
    func killedChanges(options: [String]) async throws {
        let (cache, template) = try Cache.andFolderOfTest()
        try cache.insert(0..<120)
        try FileManager.default.createDirectory(
            atPath: template.path("temporary"), withIntermediateDirectories: false)
        func words(_ name: String, in folder: ScratchDirectory) -> [String] {
            ["changes", "-o", folder.path(name)] + options.map { $0 == "token" ? folder.path("token") : $0 }
        }
        let places = try await withCopy(of: template) { cache, copy in
            let (result, calls) = try await withScratchDirectory {
                try await SystemCallTrace.record(cache.quakes, words("1.ndjson", in: copy), in: $0.path("calls"))
            }
            #expect(result.exitStatus == 0, "\(result.errorOutput)")
            let own = calls.filter { call in
                !["lseek", "open"].contains(call.name) && call.paths.contains { $0.hasPrefix(copy.url.path) }
            }
            return Thoroughness.sample(12, of: own)
        }
        var kills = 0
        for call in places {
            try await withCopy(of: template) { cache, copy in
                let killed = try await SystemCallTrace.kill(cache.quakes, words("1.ndjson", in: copy), at: call)
                if killed.ending == .signaled(SIGKILL) { kills += 1 }
                let next = try await cache.quakes.run(words("2.ndjson", in: copy))
                #expect(next.exitStatus == 0, "\(call.name) \(call.ordinal): \(next.errorOutput)")
                var found: Set<Int64> = []
                for name in ["1.ndjson", "2.ndjson"] where FileManager.default.fileExists(atPath: copy.path(name)) {
                    let records = try String(contentsOfFile: copy.path(name), encoding: .utf8)
                        .split(separator: "\n").map { try #require(Record(String($0))) }
                    #expect(records.last?.kind == "end", "\(call.name) \(call.ordinal)")
                    found.formUnion(records.compactMap(\.changeID))
                }
                #expect(found == Set(1...120), "\(call.name) \(call.ordinal)")
            }
        }
        #expect(kills > places.count / 2)
    }

    @Test("If the file of changes --output appears in the meantime, nothing is marked as read") func race() async throws
    {
        let (cache, scratch) = try await Cache.andFolderOfDay()
        let file = scratch.path("out.ndjson")
        let words = ["changes", "--consumer", "alarm", "-o", file]
        let result = try await SystemCallTrace.run(cache.quakes, words, with: "error=EEXIST", in: "linkat", at: file)
        #expect(result.exitStatus == 74)
        #expect(result.errorOutput.contains("quakes: \(file) already exists; use a new name"), "\(result.errorOutput)")
        #expect(try await cache.output("changes", "--consumer", "alarm", "--count") == "24\n")
        #expect(!FileManager.default.fileExists(atPath: file))
    }
}
