import QuakeModel
import QuakeTestSupport
import Testing

@Suite("Which version of a solution is preferred, and since when")
struct SolutionVersionTests {
    private func version(
        _ source: String, at minute: Int64, weight: Int64 = 1, product: String = "origin", magnitude: Double? = 5
    ) -> SolutionVersion {
        SolutionVersion(
            product: product, source: source, code: "1", published: .sample + .seconds(minute * 60), weight: weight,
            values: magnitude.map { [.mag: .real($0), .lat: .real(1), .lon: .real(2)] })
    }

    @Test("A product that begins with trump- is preferred to any weight, older or newer")
    func trump() {
        let trump = version("us", at: 1, product: "trump-origin")
        for others in [[version("ci", at: 0, weight: 900)], [version("ci", at: 2, weight: 900)]] {
            let versions = (others + [trump]).sorted { $0.published < $1.published }
            #expect(versions.preferred == trump && versions.steps.last?.version == trump)
        }
    }

    @Test("Versions published at one moment are judged together: the weaker one was never the preferred one")
    func sameMoment() {
        let (weak, strong) = (version("ak", at: 3, magnitude: 4), version("us", at: 3, weight: 9))
        for versions in [[weak, strong], [strong, weak]] {
            #expect(versions.steps.map(\.version) == [strong])
        }
        // What replaces a version at the moment at which that is deleted leaves no other in between.
        let first = version("us", at: 0, weight: 9)
        let handedOver = [
            version("ak", at: 0), first, version("us", at: 5, magnitude: nil), version("nc", at: 5, weight: 5),
        ]
        #expect(handedOver.steps.map(\.version.source) == ["us", "nc"])
    }
}
