import Foundation
import QuakeModel
import QuakeTestSupport
import Synchronization
import Testing

/// Stories of kills, faults and changes in random order. Whatever happened, the undisturbed runs at the end make the
/// cache equal to the service's catalog.
@Suite("Backfill amid kills, faults and changes in random order", .endsInTime, .scratch) struct BackfillKillTests {
    @Test(
        "After kills and server errors, a final quakes backfill makes the cache match the service",
        arguments: Thoroughness.seeds(1, of: 100))
    func anyOrder(seeds: Range<Int>) async throws {
        for seed in seeds { try await story(seed) }
    }

    private func story(_ seed: Int) async throws {
        let copy = try CatalogCopy.ofTest(of: 150, seed: UInt64(seed), maximumRows: 30)
        var random = SplitMix64(state: UInt64(seed) + 1000)
        copy.server.change { $0.deletedForm = EventCatalog.DeletedForm.allCases[seed % 3] }
        copy.server.configure {
            $0.cutsMilliseconds = seed % 2 == 0
            $0.answersNothingWith204 = seed % 5 == 0
        }
        var told: [String] = []
        for _ in 0..<5 {
            switch random.next(5) {
            case 0, 1:
                told.append("a run is killed")
                try await killRun(of: copy, &random)
            case 2, 3:
                told.append("a run meets faults")
                let faults = (0..<2).map { _ in Self.fault(&random) }
                let first = random.next(6)
                let asked = Mutex(0)
                copy.server.fail(where: { _ in
                    asked.withLock { asked in
                        asked += 1
                        return faults.indices.contains(asked - 1 - first) ? faults[asked - 1 - first] : nil
                    }
                })
                _ = try await copy.cache.quakes.run(Self.call(copy, &random))
                copy.server.fail(where: { _ in nil })
            default:
                told.append("the catalog changes")
                copy.server.change { catalog in
                    catalog.now = catalog.now + .milliseconds(Int64(200 + random.next(5_000)))
                    catalog.changeAtRandom(15, in: copy.since...copy.until, &random)
                }
            }
        }
        try await finish(copy)
        let story = "seed \(seed): \(told.joined(separator: ", "))"
        try copy.expectTruth(comment: story)
        #expect(try await copy.cache.run("verify", "--full").exitStatus == 0, "\(story)")
    }

    /// Starts a run and kills it once the service has received that many requests, during a response or after it.
    private func killRun(of copy: CatalogCopy, _ random: inout SplitMix64) async throws {
        let fatal = copy.server.requests.count + 1 + random.next(7)
        let delay = Duration.microseconds(random.next(12_000))
        let isSlow = random.next(3) == 0
        let alreadyAsked = copy.server.requests.count
        copy.server.fail(where: { _ in isSlow ? .slow(.milliseconds(30)) : nil })
        let (_, _) = try await copy.cache.quakes.whileRunning(Self.call(copy, &random)) { process in
            let end = ContinuousClock.now + .seconds(10)
            while copy.server.requests.count < fatal, ContinuousClock.now < end, process.isAlive {
                try await Task.sleep(for: .milliseconds(1))
            }
            try await Task.sleep(for: delay)
            process.send(signal: SIGKILL)
            _ = try await process.remainingLines()
        }
        copy.server.fail(where: { _ in nil })
        // One run's requests never overlap; those of the killed run may still be in progress when the next begins.
        #expect(copy.server.requests.dropFirst(alreadyAsked).dropFirst().allSatisfy { $0.inFlight == 0 })
        while copy.server.inFlight > 0 { try await Task.sleep(for: .milliseconds(1)) }
    }

    /// Fetches missing and changed quakes until a run has nothing to wait for.
    private func finish(_ copy: CatalogCopy) async throws {
        for call in [copy.arguments(), ["backfill", "--service-url", copy.server.queryURL]] {
            var result = try await copy.cache.quakes.run(call)
            let end = ContinuousClock.now + .seconds(20)
            while result.exitStatus == 75, ContinuousClock.now < end {
                try await Task.sleep(for: .milliseconds(100))
                result = try await copy.cache.quakes.run(call)
            }
            #expect(result.exitStatus == 0, "\(call): \(result.errorOutput)")
        }
    }

    private static func call(_ copy: CatalogCopy, _ random: inout SplitMix64) -> [String] {
        random.next(3) == 0 ? ["backfill", "--service-url", copy.server.queryURL] : copy.arguments()
    }

    private static func fault(_ random: inout SplitMix64) -> EventServiceFault {
        switch random.next(7) {
        case 0: .status(429, retryAfter: "1")
        case 1: .status(503)
        case 2: .status(504)
        case 3: .truncated(Double(random.next(100)) / 100)
        case 4: .closed
        case 5: .wrongJSON
        default: .slow(.milliseconds(20))
        }
    }
}
