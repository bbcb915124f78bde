import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

/// Writers that are killed before a system call that changes files.
///
/// `make soak` tries every call; otherwise a few of each command are tried.
// Proves promise 1 of reliability.md.
@Suite(
    "Writers killed at a system call", .endsInTime, .scratch,
    .disabled(if: Sanitizer.isActive, "strace and a sanitizer would have to watch the same process"),
    .enabled(if: SystemCallTrace.isPossible, "strace is missing, or the system does not let it work"))
struct KilledWriterTests {
    @Test(
        "A command killed at any system call has saved its changes completely or not at all", arguments: Writer.all
    )
    func stateBeforeOrAfter(writer: Writer) async throws {
        let (writer, template) = try await writer.prepared()
        let expected = try await Expected(of: writer, template)
        let calls = try await writerCalls(writer, template)
        let places = Thoroughness.sample(3, of: calls)
        var kills = 0
        for call in places where try await kill(writer, at: call, template, expected) { kills += 1 }
        // The number of calls in a thread may differ by one between two runs.
        #expect(calls.count > 5 && kills >= places.count * 9 / 10, "\(kills) of \(places.count) tries were kills")
        if Thoroughness.isFull { print("\(writer.testDescription): killed at \(kills) calls") }
    }

    /// The states and files that a kill may leave.
    private struct Expected {
        var states: [CacheContents]
        var after: CacheContents
        /// The names of files that exist whether or not the command is done.
        var names: Set<String>

        init(of writer: Writer, _ template: ScratchDirectory) async throws {
            names = try Set(FileManager.default.contentsOfDirectory(atPath: template.url.path))
            names.insert("quakes.db")
            let before = try writer.contents(of: template.path("quakes.db"))
            after = try await withCopy(of: template) { cache, copy in
                let result = try await cache.quakes.run(writer.arguments(in: copy))
                #expect(result.exitStatus == 0, "\(result.errorOutput)")
                return try writer.contents(of: cache.path)
            }
            states = [before, after]
            if let asked = writer.asked {
                states += try await withCopy(of: template) { cache, _ in
                    try QuakeContext(QuakeCache(path: cache.path)).write { writer in
                        try writer.changeCoverage { $0.request(QuakeFilter(), in: asked) }
                    }
                    return [try writer.contents(of: cache.path)]
                }
            }
            if writer.creates {
                states += try await withCopy(of: template) { cache, _ in
                    _ = try QuakeContext(QuakeCache(path: cache.path), access: .creating)
                    return [try writer.contents(of: cache.path)]
                }
            }
        }
    }

    /// Returns the calls that affect the cache's folder in an undisturbed run, each name and ordinal once.
    private func writerCalls(_ writer: Writer, _ template: ScratchDirectory) async throws -> [SystemCall] {
        try await withCopy(of: template) { cache, copy in
            try await withScratchDirectory { elsewhere in
                let (result, calls) = try await SystemCallTrace.record(
                    cache.quakes, writer.arguments(in: copy), in: elsewhere.path("calls"))
                #expect(result.exitStatus == 0, "\(result.errorOutput)")
                var seen: Set<String> = []
                return calls.filter { call in
                    !["lseek", "open"].contains(call.name) && call.paths.contains { $0.hasPrefix(copy.url.path) }
                        && seen.insert("\(call.name) \(call.ordinal)").inserted
                }
            }
        }
    }

    /// Kills the command before `call` in a separate folder, and checks the result. Returns false if it was not killed.
    private func kill(
        _ writer: Writer, at call: SystemCall, _ template: ScratchDirectory, _ expected: Expected
    ) async throws -> Bool {
        try await withCopy(of: template) { cache, copy in
            let place = "\(call.name) \(call.ordinal)"
            let result = try await SystemCallTrace.kill(cache.quakes, writer.arguments(in: copy), at: call)
            guard result.ending == .signaled(SIGKILL) else {
                #expect(result.exitStatus == 0, "\(place): \(result.errorOutput)")
                return false
            }
            let log: Set<String> = ["quakes.db-wal", "quakes.db-shm", "quakes.db-journal"]
            try expectNames(in: copy, expected.names.union(writer.results).union(writer.locks).union(log), place)
            expectSound(cache.path, place)
            let state = try writer.contents(of: cache.path)
            if !expected.states.contains(state) {
                Issue.record(
                    """
                    \(place): \(state.difference(from: expected.states[0])) as before, \
                    \(state.difference(from: expected.after)) as after
                    """
                )
            }
            let next = try await cache.quakes.run(writer.arguments(in: copy))
            let isDone = next.exitStatus == 0 || next.exitStatus == writer.repeated && state == expected.after
            #expect(isDone, "\(place): \(next.errorOutput)")
            let end = try writer.contents(of: cache.path)
            if end != expected.after { Issue.record("\(place): \(end.difference(from: expected.after))") }
            try expectNames(in: copy, expected.names.union(writer.results), "after \(place)")
            return true
        }
    }

    private func expectNames(in folder: ScratchDirectory, _ allowed: Set<String>, _ place: String) throws {
        let names = try Set(FileManager.default.contentsOfDirectory(atPath: folder.url.path))
            .union(FileManager.default.contentsOfDirectory(atPath: folder.path("temporary")))
            // These exist only at the instant in which a file's new content has a name of its own.
            .filter { !$0.hasSuffix(".tmp") }
        #expect(names.subtracting(allowed).isEmpty, "\(place)")
    }
}

/// Runs `body` with a copy of the folder `template`, in which no process is running.
func withCopy<Result: Sendable>(
    of template: ScratchDirectory, _ body: (Cache, ScratchDirectory) async throws -> Result
) async throws -> Result {
    try await withScratchDirectory { copy in
        for name in try FileManager.default.contentsOfDirectory(atPath: template.url.path) {
            try FileManager.default.copyItem(atPath: template.path(name), toPath: copy.path(name))
        }
        let temporary = copy.path("temporary")
        return try await body(Cache(in: copy, environment: ["TMPDIR": temporary, "SQLITE_TMPDIR": temporary]), copy)
    }
}
