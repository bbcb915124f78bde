import Foundation
import QuakeTestSupport
import Testing

@Suite("A byte of the cache that was flipped", .timeLimit(.minutes(10)))
struct FlippedByteTests {
    /// What people and programs read of a cache.
    private static let outputs = [
        ["list", "--format", "ndjson"], ["changes"], ["history", "--format", "json"], ["status", "--format", "json"],
    ]

    @Test(
        "is found by `verify --full`, or changes nothing that is printed", arguments: Thoroughness.seeds(12, of: 1000))
    func found(seeds: Range<Int>) async throws {
        try await withCache { cache, _ async throws in
            for name in ["all_day-1", "all_day-2"] { try await cache.refresh(name) }
            try await cache.output("changes", "--since-token", "--consumer", "alarm")
            try await cache.output("purge", "--max-mag", "1")
            try await cache.output("undo")
            try await cache.output("verify", "--full")
            let sound = try Data(contentsOf: URL(filePath: cache.path))
            let before = try await output(of: cache)
            for seed in seeds {
                var random = SplitMix64(state: UInt64(seed))
                let (place, bits) = (random.next(sound.count), UInt8(1 + random.next(255)))
                var flipped = sound
                flipped[place] ^= bits
                for suffix in ["-wal", "-shm"] { unlink(cache.path + suffix) }
                try flipped.write(to: URL(filePath: cache.path))
                let verdict = try await cache.run("verify", "--full")
                // A header that is none any more is an error of its own.
                if verdict.exitStatus == 0 {
                    #expect(try await output(of: cache) == before, "byte \(place), bits \(bits)")
                } else {
                    #expect([66, 74, 78].contains(verdict.exitStatus), "byte \(place), bits \(bits)")
                }
            }
        }
    }

    private func output(of cache: Cache) async throws -> [String] {
        var texts: [String] = []
        for call in FlippedByteTests.outputs {
            let result = try await cache.quakes.run(call)
            // A gap reaches to a moment before now.
            let text = String(decoding: result.standardOutput, as: UTF8.self)
                .replacing(/"gaps":\[[^\]]*\]/, with: "")
            texts.append("\(text)\(String(describing: result.exitStatus))")
        }
        return texts
    }
}
