import Foundation
import QuakeTestSupport
import Testing

// Proves promise 11 of reliability.md.
@Suite("A flipped byte in the cache", .endsInTime, .scratch) struct FlippedByteTests {
    /// Commands that print a cache's contents for people and programs.
    private static let outputs = [
        ["list", "--format", "ndjson"], ["changes"], ["history", "--format", "json"], ["status", "--format", "json"],
        ["show", "hv79000224", "--format", "json"], ["summary", "--format", "json"],
    ]

    @Test(
        "quakes verify --full detects any flipped byte that changes a command's output",
        arguments: Thoroughness.seeds(12, of: 1000, orOnly: "QUAKES_FLIP_SEED"))
    func randomByteIsFound(seeds: Range<Int>) async throws {
        let (cache, sound, before) = try await soundCache()
        for seed in seeds {
            var random = SplitMix64(state: UInt64(seed))
            let place = random.next(sound.count)
            try await check(cache, sound, place, bits: UInt8(1 + random.next(255)), before)
        }
    }

    @Test("If flipping an id's letter case on disk changes any output, verify --full detects it")
    func letterCaseIsFound() async throws {
        let (cache, sound, before) = try await soundCache()
        let id = Data("hv79000224".utf8)
        var rest = sound.startIndex..<sound.endIndex
        var places: [Int] = []
        while let found = sound.range(of: id, in: rest) {
            places.append(found.lowerBound)
            rest = found.upperBound..<sound.endIndex
        }
        #expect(places.count > 2)
        for place in places { try await check(cache, sound, place, bits: 0x20, before) }
    }

    /// A cache, its bytes, and the output printed from it.
    private func soundCache() async throws -> (Cache, Data, [String]) {
        let cache = try Cache.ofTest()
        for name in ["all_day-1", "all_day-2"] { try await cache.refresh(name) }
        try await cache.output("changes", "--since-token", "--consumer", "alarm")
        try await cache.output("purge", "--max-mag", "1")
        try await cache.output("undo")
        try await cache.output("verify", "--full")
        let sound = try Data(contentsOf: URL(filePath: cache.path))
        return (cache, sound, try await output(of: cache))
    }

    /// Flips `bits` in the byte at `place` and checks the result.
    private func check(_ cache: Cache, _ sound: Data, _ place: Int, bits: UInt8, _ before: [String]) async throws {
        var flipped = sound
        flipped[place] ^= bits
        for suffix in ["-wal", "-shm"] { unlink(cache.path + suffix) }
        try flipped.write(to: URL(filePath: cache.path))
        let result = try await cache.run("verify", "--full")
        // An invalid header is a separate error.
        if result.exitStatus == 0 {
            #expect(try await output(of: cache) == before, "byte \(place), bits \(bits)")
        } else {
            #expect([66, 74, 78].contains(result.exitStatus), "byte \(place), bits \(bits)")
        }
    }

    private func output(of cache: Cache) async throws -> [String] {
        var texts: [String] = []
        for call in FlippedByteTests.outputs {
            let result = try await cache.quakes.run(call)
            // A gap extends to shortly before now, and a problem includes an age.
            let text = String(decoding: result.standardOutput, as: UTF8.self)
                .replacing(/"(gaps|problems)":\[[^\]]*\]/, with: "")
            texts.append("\(text)\(String(describing: result.exitStatus))")
        }
        return texts
    }
}
