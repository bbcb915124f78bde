import Foundation
import QuakeTestSupport
import Testing

@Suite("The table of what came from where")
struct SeedsTests {
    @Test("Every test it names as a proof is one that runs")
    func proofsRun() throws {
        let suites = try TestSources.suites()
        var proofs = 0
        for row in try Document("Documentation/seeds.md").tableRows
        where row.count == 3 && !["proved by", "---"].contains(row[2]) {
            var suite = ""
            for proof in row[2].split(separator: ",") where !proof.contains("—") {
                let names = proof.split(separator: ".", omittingEmptySubsequences: false)
                    .map { $0.trimmingCharacters(in: .whitespaces) }
                if let name = names.first, !name.isEmpty { suite = name }
                let tests = suites[suite] ?? []
                #expect(!tests.isEmpty, "\(suite) is no suite with tests: \(row[0])")
                if names.count > 1 { #expect(tests.contains(names[1]), "\(suite).\(names[1]) is no test: \(row[0])") }
                proofs += 1
            }
        }
        #expect(proofs > 40)
    }

    @Test("A name that only a helper has is no test")
    func helpers() throws {
        let source = """
            struct Helper {
                func run() {}
            }

            @Suite("With words") struct Proofs {
                private func help() {}

                @Test("This works", arguments: [1, 2])
                func works(number: Int) {}

                @Test func worksToo() async throws {}
            }
            """
        #expect(TestSources.suites(in: source) == ["Helper": [], "Proofs": ["works", "worksToo"]])
    }
}
