import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

/// Power cuts at every point where a program waits for the disk, with every state that the disk may then have.
///
/// strace records the real program, and its files are rebuilt as after a cut (``CutDisk``). The disk itself is not
/// tested: one that reports data as written too early can lose anything.
// Proves promises 1 and 2 of reliability.md.
@Suite(
    "Power cuts", .computing, .endsInTime,
    .disabled(if: Sanitizer.isActive, "strace and a sanitizer would have to watch the same process"),
    .enabled(if: SystemCallTrace.isPossible, "strace is missing, or the system does not let it work"), .scratch)
struct PowerCutTests {
    @Test(
        "After a power cut, every transaction reported as done is saved, and none is half saved",
        arguments: Thoroughness.sample(2, of: RecordedSession.Company.allCases))
    func everythingReportedIsThere(company: RecordedSession.Company) async throws {
        let scratch = try ScratchDirectory.ofTest()
        let session = try await RecordedSession(company, in: scratch)
        let syncs = session.moments.count { if case .event(let event) = $0 { event.isSync } else { false } }
        #expect(syncs > 40)
        // Cuts before and after each sync.
        let step = Thoroughness.isFull ? 1 : max(1, 2 * syncs / 8)
        var (disk, place, cuts) = (CutDisk(), 0, 0)
        var (reported, running) = (0, 0)
        func cut() throws {
            defer { place += 1 }
            guard place % step == step / 2 || Thoroughness.isFull else { return }
            for (survivors, seed) in losses(at: place) {
                let folder = scratch.path("cut")
                defer { try? FileManager.default.removeItem(atPath: folder) }
                let files = disk.files(after: survivors, seed: seed)
                try check(files, in: folder, session, reported...running, "cut \(place), \(survivors) \(seed)")
                cuts += 1
            }
        }
        for moment in session.moments {
            switch moment {
            case .began(let step): running = step + 1
            case .succeeded(let step): if session.steps[step].waits { reported = step + 1 }
            case .event(let event):
                if event.isSync { try cut() }
                disk.apply(event)
                if event.isSync { try cut() }
            }
        }
        try cut()
        #expect(cuts >= 8)
        if Thoroughness.isFull { print("\(company): \(cuts) power cuts around \(syncs) syncs") }
    }

    private func losses(at place: Int) -> [(CutDisk.Survivors, seed: Int)] {
        guard Thoroughness.isFull else { return [(CutDisk.Survivors.allCases[place % 4], place)] }
        let drawn = [CutDisk.Survivors.someWrites, .someSectors].flatMap { survivors in
            (0..<3).map { (survivors, place * 3 + $0) }
        }
        return [(.nothing, 0), (.everything, 0)] + drawn
    }

    /// Writes `files` as they are on the disk after the cut, and opens them as the next command does.
    private func check(
        _ files: [String: [UInt8]], in folder: String, _ session: RecordedSession, _ steps: ClosedRange<Int>,
        _ place: String
    ) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (name, bytes) in files { try Data(bytes).write(to: URL(filePath: folder + "/" + name)) }
        let path = folder + "/quakes.db"
        expectSound(path, place)
        let state = try CacheContents(ofCacheAt: path)
        let isBetween = steps.lowerBound == 0 && state.isNew
        if !session.states[steps].contains(state), !isBetween {
            let wanted = session.states[steps.lowerBound]
            Issue.record("\(place), in step \(steps): \(state.difference(from: wanted))")
        }
        if state.isEmpty { _ = try QuakeContext(QuakeCache(path: path), access: .creating) }
        if files["copy.db"] != nil { expectSound(folder + "/copy.db", "backup, \(place)") }
        if steps.lowerBound > 7 { #expect(files["copy.db"] != nil, "\(place)") }
        if let token = files["token"] {
            #expect(session.tokens.contains(String(decoding: token, as: UTF8.self)), "\(place)")
        }
    }
}
