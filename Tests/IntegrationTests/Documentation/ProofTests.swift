import Foundation
import QuakeTestSupport
import Testing

@Suite("The proofs that documents name") struct ProofTests {
    @Test("Every promise and every feature names suites and tests that exist", arguments: [("Tests/proofs.md", 2, 90)])
    func exist(path: String, columns: Int, fewest: Int) throws {
        let suites = try TestSources.suites()
        let rows = try Document(path).tableRows.filter {
            $0.count == columns && !["promise", "described", "---"].contains($0[0])
        }
        #expect(rows.count > fewest)
        for row in rows {
            var suite = ""
            for proof in row[columns - 1].split(separator: ",") {
                let names = proof.split(separator: ".", omittingEmptySubsequences: false)
                    .map { $0.trimmingCharacters(in: .whitespaces) }
                if let name = names.first, !name.isEmpty { suite = name }
                let tests = suites[suite] ?? []
                #expect(names.count > 1 ? tests.contains(names[1]) : !tests.isEmpty, "\(proof): \(row[0])")
            }
        }
    }

    @Test("Every story shows rules that mirroring.md has, and every rule but that of the event service has a story")
    func stories() throws {
        let rules = Set(try Document("Documentation/mirroring.md").tableRows.compactMap { Int($0[0]) })
        var shown: Set<Int> = []
        for name in try Fixture.names(in: "stories") {
            let story = try JSONDecoder().decode(StoryRules.self, from: Fixture.data("stories/\(name)/story.json"))
            let named = story.rules.split(separator: ", ").map { Int($0) ?? 0 }
            #expect(!named.isEmpty && rules.isSuperset(of: named), "\(name)")
            shown.formUnion(named)
        }
        #expect(rules.subtracting(shown) == [9])
    }

    @Test("What errors call \"After an accident\" is there, with a heading for each accident") func accidents() throws {
        let text = try Document("Documentation/reliability.md").text
        let rest = try #require(text.components(separatedBy: "\n## After an accident\n").last)
        let section = try #require(rest.components(separatedBy: "\n## ").first)
        #expect(section.components(separatedBy: "\n### ").count > 8)
    }
}

private struct StoryRules: Decodable {
    var rules: String
}
