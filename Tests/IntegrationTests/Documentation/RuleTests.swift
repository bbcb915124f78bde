import Foundation
import QuakeTestSupport
import Testing

@Suite("Rules and promises of the documents") struct RuleTests {
    @Test(
        "\"// Proves\" comments in tests cite every numbered rule, promise and feature, and no other",
        arguments: ["mirroring.md", "reliability.md", "seeds.md"])
    func numbersAreCited(name: String) throws {
        let document = try Document("Documentation/\(name)")
        let items = document.text.matches(of: /(?m)^([A-E]?\d+)\.\s/).map { String($0.output.1) }
        let numbers = Set((document.tableRows.map { $0[0] } + items).filter { $0.wholeMatch(of: /[A-E]?\d+/) != nil })
        var cited: Set<String> = []
        for path in try SourceTree.paths(below: "Tests", endingIn: ".swift") {
            for line in try Document(path).text.split(separator: "\n") where line.contains("// Proves ") {
                let lists = line.matches(of: /s? ([A-E\d][A-E\d, and]*) of ([a-z]+\.md)/)
                for list in lists where list.output.2 == name {
                    cited.formUnion(list.output.1.matches(of: /[A-E]?\d+/).map { String($0.output) })
                }
            }
        }
        #expect(!numbers.isEmpty && cited == numbers)
    }

    @Test("Every rule in the mirroring.md tables, except rule 9, is cited by a story.json fixture")
    func storiesNameRules() throws {
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
}

private struct StoryRules: Decodable {
    var rules: String
}
