import Foundation
import QuakeTestSupport
import Testing

@Suite(
    "Atomic replacement of files", .endsInTime,
    .enabled(if: SystemCallTrace.isPossible, "strace is missing, or the system does not let it work"), .scratch)
struct SynchronizedNameTests {
    // Proves promise 2 of reliability.md.
    @Test(
        "Commands sync a new file before renaming it, and sync its folder before they exit",
        arguments: [
            ["changes", "--token-file", "FILE"], ["backup", "FILE"], ["backup", "--force", "FILE"],
            ["map", "--format", "svg", "--output", "FILE"],
            ["changes", "--since-token", "--format", "csv", "--output", "FILE"],
        ])
    func syncOrder(words: [String]) async throws {
        let (cache, scratch) = try await Cache.andFolderOfDay()
        let folder = scratch.path("folder")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let file = folder + "/result"
        let (result, calls) = try await SystemCallTrace.record(
            cache.quakes, words.map { $0 == "FILE" ? file : $0 }, in: scratch.path("trace"))
        #expect(result.exitStatus == 0, "\(result.errorOutput)")
        let steps = calls.filter { call in
            call.result == 0 && ["fsync", "rename", "renameat2", "linkat"].contains(call.name)
                && call.paths.contains { $0.hasPrefix(folder) }
        }
        // A file that replaces none gets its name with its first link.
        let isNew = words == ["backup", "FILE"] || words.contains("--since-token")
        let expected = isNew ? ["fsync", "linkat", "fsync"] : ["fsync", "linkat", "rename", "fsync"]
        #expect(steps.map { String($0.name.prefix(6)) }.suffix(expected.count) == expected[...])
        #expect(steps.last?.paths == [folder])
    }
}
