import QuakeModel
import QuakeTestSupport
import Testing

@Suite("Preferred versions of solutions") struct SolutionVersionTests {
    private func version(
        _ source: String, at minute: Int, weight: Int = 1, product: String = "origin", magnitude: Double? = 5
    ) -> SolutionVersion {
        SolutionVersion(
            product: product, source: source, code: "1", published: .sample + .seconds(Int64(minute) * 60),
            weight: Int64(weight),
            values: magnitude.map { [.mag: .real($0), .lat: .real(1), .lon: .real(2)] })
    }

    @Test("A trump-origin product is preferred to any other origin, whatever its weight or age") func trump() {
        let trump = version("us", at: 1, product: "trump-origin")
        for others in [[version("ci", at: 0, weight: 900)], [version("ci", at: 2, weight: 900)]] {
            let versions = (others + [trump]).sorted { $0.published < $1.published }
            #expect(versions.preferred == trump && versions.steps.last?.version == trump)
        }
    }

    @Test("Of simultaneously published solutions, only the one with the most weight is ever preferred") func sameTime()
    {
        let (weak, strong) = (version("ak", at: 3, magnitude: 4), version("us", at: 3, weight: 9))
        for versions in [[weak, strong], [strong, weak]] {
            #expect(versions.steps.map(\.version) == [strong])
        }
        // If a version is replaced at the moment of its deletion, no other version comes in between.
        let first = version("us", at: 0, weight: 9)
        let handedOver = [
            version("ak", at: 0), first, version("us", at: 5, magnitude: nil), version("nc", at: 5, weight: 5),
        ]
        #expect(handedOver.steps.map(\.version.source) == ["us", "nc"])
    }

    @Test("After the preferred solution is deleted, the previously preferred one is preferred again")
    func deletedVersions() {
        let sources = (0..<40).map { "s\($0)" }
        let added = sources.enumerated().map { version($1, at: $0, weight: $0, magnitude: Double($0) / 10) }
        let deleted = sources.reversed().enumerated().map { version($1, at: 40 + $0, magnitude: nil) }
        let versions = (added + deleted).map { version in
            var version = version
            if version.values != nil { version.values?[.time] = .integer(Timestamp.sample.milliseconds) }
            return version
        }
        #expect(versions.steps.map(\.version.source) == sources + sources.reversed().dropFirst())
        let (history, known) = (SolutionHistory([.origins: versions]), Quake(sample: "us1"))
        let states = history.states(before: .sample + .seconds(3600 * 24), withIDsOf: known)
        #expect(states.count == 80)
        #expect(states[20].quake.sources.members == sources.prefix(21).sorted())
        #expect(states[60].quake.sources.members == sources.prefix(19).sorted() && states[60].quake.magnitude == 1.8)
        // If everything was deleted, the last solution stays, without any source.
        #expect(states[79].quake.magnitude == 0 && states[79].quake.sources.members.isEmpty)
        for (since, quake) in states { #expect(history.until(since).quake(withIDsOf: known) == quake) }
    }
}
