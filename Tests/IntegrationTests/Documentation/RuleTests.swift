import Foundation
import QuakeTestSupport
import Testing

@Suite("Rules and promises of the documents") struct RuleTests {
    @Test(
        "\"// Proves\" comments in tests cite every numbered rule, promise and feature, and no other",
        arguments: ["mirroring.md", "reliability.md", "seeds.md"])
    func numbersAreCited(name: String) throws {
        let document = try Document("Documentation/\(name)")
        let cells = document.tableRows.map { $0[0] }.filter { $0.wholeMatch(of: /[A-E]?\d+/) != nil }
        let numbers = Set(cells + document.itemNumbers)
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

    @Test("The rules of mirroring.md are numbered from 1, in order, and each number is used once")
    func rulesAreInOrder() throws {
        let numbers = try Document("Documentation/mirroring.md").itemNumbers
        #expect(!numbers.isEmpty && numbers == (1...numbers.count).map(String.init))
    }

    @Test("Each rule of mirroring.md that needs no event service is cited by a story.json fixture")
    func storiesNameRules() throws {
        let rules = Set(try Document("Documentation/mirroring.md").itemNumbers.compactMap { Int($0) })
        var shown: Set<Int> = []
        for name in try Fixture.names(in: "stories") {
            let story = try JSONDecoder().decode(StoryRules.self, from: Fixture.data("stories/\(name)/story.json"))
            let named = story.rules.split(separator: ", ").map { Int($0) ?? 0 }
            #expect(!named.isEmpty && rules.isSuperset(of: named), "\(name)")
            shown.formUnion(named)
        }
        // The others are about responses of the event service and about coverage.
        #expect(rules.subtracting(shown) == [9, 18, 19, 20, 21, 22, 23])
    }
}

extension Document {
    /// The numbers of its list items that are not indented, such as `7` or `B1`.
    fileprivate var itemNumbers: [String] {
        text.matches(of: /(?m)^([A-E]?\d+)\.\s/).map { String($0.output.1) }
    }
}

private struct StoryRules: Decodable {
    var rules: String
}
