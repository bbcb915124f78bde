import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

/// A folder such as /tmp, in which another user has put something where a command will write.
// Proves promise 15 of reliability.md.
@Suite(
    "Files planted by another user", .endsInTime, .scratch,
    .enabled(if: geteuid() == 0 && Unprivileged.isPossible, "only root can run programs as two other users"))
struct PlantedFilesTests {
    enum Kind: CaseIterable { case link, danglingLink, pipe, folder, device }

    private static let (other, user) = (uid_t(61_002), uid_t(61_001))

    /// The names of all files that any command writes or makes beside the cache, besides the results of the writer.
    private static let names = [
        "quakes.db", "quakes.db-wal", "quakes.db-shm", "quakes.db-journal", "quakes.db.backfill-lock",
        "quakes.db.restoring", "quakes.db.before-restore", "quakes.db.before-restore.partial",
        "quakes.db.before-restore-2", "quakes.db.before-restore-3", "copy.db.partial",
    ]

    @Test("No command follows or waits for a link, pipe or device planted beside the cache", arguments: Writer.all)
    func plantedFiles(writer: Writer) async throws {
        let (writer, template) = try await writer.prepared()
        let places = Set(Self.names).union(writer.results).union(writer.locks).sorted()
        // By default, each writer meets one kind at each place, and each place meets every kind.
        let number = Writer.all.firstIndex { $0.testDescription == writer.testDescription } ?? 0
        for (index, name) in places.enumerated() {
            let kinds = Thoroughness.isFull ? Kind.allCases : [Kind.allCases[(index + number) % Kind.allCases.count]]
            for kind in kinds {
                for user in [0, Self.user] {
                    try await expectUnharmed(writer, template, Plant(name: name, kind: kind), as: user)
                }
            }
        }
    }

    private struct Plant: CustomStringConvertible {
        let name: String
        let kind: Kind

        var description: String { "\(kind) at \(name)" }
    }

    /// Runs the writer as `user` beside the plant, and expects an end in time, an unchanged victim and a sound cache.
    private func expectUnharmed(
        _ writer: Writer, _ template: ScratchDirectory, _ plant: Plant, as user: uid_t
    ) async throws {
        try await withCopy(of: template) { cache, copy in
            let victim = copy.path("temporary/victim")
            try Data("kept".utf8).write(to: URL(filePath: victim))
            let manager = FileManager.default
            let owner: [FileAttributeKey: Any] = [.ownerAccountID: user, .groupOwnerAccountID: user]
            for name in try manager.subpathsOfDirectory(atPath: copy.url.path) {
                try manager.setAttributes(owner, ofItemAtPath: copy.path(name))
            }
            #expect(chmod(copy.url.path, 0o1777) == 0 && chmod(victim, 0o600) == 0)
            unlink(copy.path(plant.name))
            try set(plant, in: copy, victim: victim)
            let call = writer.arguments(in: copy)
            let place = "\(writer), \(plant) as \(user)"

            let words = [
                "--reuid=\(user)", "--regid=\(user)", "--clear-groups", "/usr/bin/timeout", "-s", "KILL", "30",
            ]
            let result = try await ProcessRunner(path: "/usr/bin/setpriv", environment: cache.quakes.environment)
                .run(words + [cache.quakes.executable] + call)
            #expect(result.exitStatus != nil && result.exitStatus != 137, "\(place) hangs")

            var status = stat()
            #expect(
                lstat(victim, &status) == 0 && status.st_mode & 0o7777 == 0o600 && status.st_uid == user, "\(place)")
            #expect(try Data(contentsOf: URL(filePath: victim)) == Data("kept".utf8), "\(place)")
            let names = try manager.contentsOfDirectory(atPath: copy.url.path)
            #expect(try manager.contentsOfDirectory(atPath: copy.path("temporary")) == ["victim"], "\(place)")
            #expect(!names.contains { $0.hasSuffix(".tmp") }, "\(place): \(names)")
            // What was planted is where it was, or has the name to which a restore moved it.
            try clear(copy, of: Self.other)
            guard plant.name != "quakes.db" else { return }
            let check = try await cache.quakes.run("verify", "--full")
            let isEmpty = writer.creates && check.exitStatus == 66
            #expect(check.exitStatus == 0 || isEmpty, "\(place): \(check.errorOutput)")
        }
    }

    private func set(_ plant: Plant, in folder: ScratchDirectory, victim: String) throws {
        let path = folder.path(plant.name)
        let isMade =
            switch plant.kind {
            case .link: symlink(victim, path) == 0
            case .danglingLink: symlink(folder.path("temporary/none"), path) == 0
            case .pipe: mkfifo(path, 0o666) == 0
            case .folder: mkdir(path, 0o755) == 0
            case .device: mknod(path, S_IFCHR | 0o666, 0x103) == 0
            }
        #expect(isMade && lchown(path, Self.other, Self.other) == 0, "\(plant)")
        if plant.kind != .link, plant.kind != .danglingLink { #expect(chmod(path, 0o777) == 0) }
    }

    /// Removes everything that belongs to `user`.
    private func clear(_ folder: ScratchDirectory, of user: uid_t) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
            var status = stat()
            guard lstat(folder.path(name), &status) == 0, status.st_uid == user else { continue }
            try FileManager.default.removeItem(atPath: folder.path(name))
        }
    }
}
