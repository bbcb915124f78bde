import Foundation
import QuakeTestSupport
import Testing

@Suite("The page of promises")
struct ReliabilityTests {
    @Test("Every promise names tests, and all of them run")
    func proofsRun() throws {
        let suites = try TestSources.suites()
        let rows = try Document("Documentation/reliability.md").tableRows.filter {
            $0.count == 2 && !["promise", "---"].contains($0[0])
        }
        #expect(rows.count > 20)
        for row in rows {
            var suite = ""
            for proof in row[1].split(separator: ",") {
                let names = proof.split(separator: ".", omittingEmptySubsequences: false)
                    .map { $0.trimmingCharacters(in: .whitespaces) }
                #expect(names.count == 2, "\(proof): \(row[0])")
                if let name = names.first, !name.isEmpty { suite = name }
                #expect(suites[suite]?.contains(names.last ?? "") == true, "\(suite).\(names.last ?? ""): \(row[0])")
            }
        }
    }

    @Test("What errors call \"After an accident\" is there, with a heading for each accident")
    func accidents() throws {
        let text = try Document("Documentation/reliability.md").text
        let section = try #require(text.components(separatedBy: "\n## After an accident\n").last)
        #expect(section.components(separatedBy: "\n### ").count > 8)
    }
}
