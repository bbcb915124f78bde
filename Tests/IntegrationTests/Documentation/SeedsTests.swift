import Foundation
import QuakeTestSupport
import Testing

@Suite("The table of what came from where")
struct SeedsTests {
    /// A proof that the table names: a suite, and one of its tests or all of them.
    private struct Proof: Hashable {
        var suite: String
        var test: String?
    }

    /// The proofs of each row.
    private func rows() throws -> [(described: String, proofs: [Proof])] {
        try Document("Documentation/seeds.md").tableRows.filter {
            $0.count == 4 && !["proved by", "---"].contains($0[3])
        }
        .map { row in
            var suite = ""
            let proofs = row[3].split(separator: ",").map { proof in
                let names = proof.split(separator: ".", omittingEmptySubsequences: false)
                    .map { $0.trimmingCharacters(in: .whitespaces) }
                if let name = names.first, !name.isEmpty { suite = name }
                return Proof(suite: suite, test: names.count > 1 ? names[1] : nil)
            }
            return (row[0], proofs)
        }
    }

    @Test("Every test it names as a proof is one that exists")
    func proofsExist() throws {
        let suites = try TestSources.suites()
        let rows = try rows()
        for row in rows {
            #expect(!row.proofs.isEmpty, "nothing proves: \(row.described)")
            for proof in row.proofs {
                let tests = suites[proof.suite] ?? []
                #expect(!tests.isEmpty, "\(proof.suite) is no suite with tests: \(row.described)")
                if let test = proof.test { #expect(tests.contains(test), "\(proof.suite).\(test) is no test") }
            }
        }
        #expect(rows.count > 40)
    }

    @Test("Every feature is shown by a program from outside, but for what only the command line does")
    func outsideProofs() throws {
        let outside = Set(try TestSources.suites(below: "ClientPackage/Tests").keys)
        #expect(outside.count > 5)
        for row in try rows() where !row.described.contains("A map beside the list") {
            #expect(row.proofs.contains { outside.contains($0.suite) && $0.test != nil }, "\(row.described)")
        }
        // And nothing that such a program shows is missing from the table.
        let named = Set(try rows().flatMap(\.proofs))
        for (suite, tests) in try TestSources.suites(below: "ClientPackage/Tests") {
            for test in tests where !test.hasPrefix("real") {
                #expect(named.contains(Proof(suite: suite, test: test)), "\(suite).\(test) proves nothing in the table")
            }
        }
    }

    @Test(
        "Every outside proof has run and passed",
        .enabled(if: ClientReport.address != nil, "needs the report that make test has the client package write"))
    func outsideProofsRan() throws {
        let report = try ClientReport(Data(contentsOf: #require(ClientReport.address)))
        let outside = Set(try TestSources.suites(below: "ClientPackage/Tests").keys)
        for proof in Set(try rows().flatMap(\.proofs)) where outside.contains(proof.suite) {
            guard let test = proof.test else { continue }
            let outcome = report.outcomes["\(proof.suite).\(test)"]
            let mayBeSkipped = test.hasPrefix("real") && !RealData.isPresent
            #expect(
                outcome == .passed || mayBeSkipped && outcome == .skipped, "\(proof.suite).\(test): \(outcome as Any)")
        }
    }

    @Test("A test that failed, was skipped or did not run has not passed")
    func outcomes() throws {
        let report = """
            <testsuites><testsuite name="TestResults" tests="3">
            <testcase classname="ClientTests.Visits" name="first()" time="0.1" />
            <testcase classname="ClientTests.Visits" name="second(number:)" time="0.1"><failure message="no" /></testcase>
            <testcase classname="ClientTests.Visits" name="third()" time="0"><skipped>no data</skipped></testcase>
            </testsuite></testsuites>
            """
        let outcomes = try ClientReport(Data(report.utf8)).outcomes
        #expect(outcomes == ["Visits.first": .passed, "Visits.second": .failed, "Visits.third": .skipped])
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
