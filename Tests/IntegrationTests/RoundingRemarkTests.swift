import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

@Suite("The remark on magnitudes that round to a limit", .endsInTime, .scratch) struct RoundingRemarkTests {
    @Test(
        "Of a real week, 326 quakes are M 2.5 or more and 12 quakes outside round to it; for M 4.5, 77 and 1",
        .needsRealData,
        arguments: [
            ("--min-mag", "2.5", "326", "12 quakes outside the filter round to M 2.5"),
            ("--min-mag", "4.5", "77", "1 quake outside the filter rounds to M 4.5"),
            ("--max-mag", "2.5", "2965", "7 quakes outside the filter round to M 2.5"),
            ("--min-mag", "4.45", "78", nil),
            ("--min-mag", "9", "0", nil), ("--min-mag", "2.45", "338", nil),
        ])
    func roundedMagnitudes(option: String, limit: String, count: String, words: String?) async throws {
        let cache = try Cache.ofTest()
        try await cache.refreshWeeks("22T2039Z")
        let remark = words.map { "quakes: \($0)\n" } ?? ""
        let list = try await cache.run("list", "--count", option, limit)
        #expect(list.output == count + "\n" && list.errorOutput == remark)
        let summary = try await cache.run("summary", option, limit, "--format", "csv")
        #expect(summary.output.contains("quakes,,\(count)\n") && summary.errorOutput == remark)
        #expect(try await cache.run("list", "--count", option, limit, "-q").errorOutput.isEmpty)
        #expect(try await cache.run("list", "--count", option, limit, "--limit", "0").errorOutput.isEmpty)
    }

    @Test("quakes list --count counts magnitudes that round to either limit, if they match every other filter")
    func roundedAtBothLimits() async throws {
        let cache = try Cache.ofTest()
        try QuakeContext(QuakeCache(path: cache.path), access: .creating).write { writer in
            for (index, magnitude) in [4.44, 4.45, 4.4999, 4.5, 4.54, 4.55, 5, 5.04, 5.05, -0.25, -0.24].enumerated() {
                var quake = Quake(sample: "us\(index)", magnitude: magnitude)
                quake.hypocenter.depthKilometers = 10 * Double(index)
                try writer.insert(quake, reason: .new)
            }
        }
        func remark(_ options: String...) async throws -> String {
            try await cache.quakes.run(["list", "--count"] + options).errorOutput
        }
        let both = "quakes: 2 quakes outside the filter round to M 4.5, 1 quake outside the filter rounds to M 5.0\n"
        #expect(try await remark("--min-mag", "4.5", "--max-mag", "5") == both)
        #expect(
            try await remark("--min-mag", "4.5", "--max-mag", "4.5")
                == "quakes: 3 quakes outside the filter round to M 4.5\n")
        #expect(
            try await remark("--min-mag", "4.5", "--min-depth", "15")
                == "quakes: 1 quake outside the filter rounds to M 4.5\n")
        #expect(try await remark("--max-mag", "-0.3") == "quakes: 1 quake outside the filter rounds to M -0.3\n")
        #expect(try await remark("--min-mag", "-0.2") == "quakes: 1 quake outside the filter rounds to M -0.2\n")
        #expect(try await remark("--min-mag", "4.49") == "")
    }
}
