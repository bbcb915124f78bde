import QuakeTestSupport
import Testing

/// A row of Fixtures/rule-cases: a title that begins with the number of a rule, a situation, and the decision.
struct RuleCase: CustomTestStringConvertible {
    let title: String
    let situation: String
    let decision: String

    var testDescription: String { title }

    /// The rows of all files. Rows are separated by empty lines; a line that begins with `#` is a heading.
    static let all: [RuleCase] = {
        do {
            return try Fixture.names(in: "rule-cases").flatMap { name in
                let text = String(decoding: try Fixture.data("rule-cases/\(name)"), as: UTF8.self)
                let lines = text.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("#") }
                return try lines.split(whereSeparator: \.isEmpty).map { try RuleCase(Array($0)) }
            }
        } catch {
            preconditionFailure("Fixtures/rule-cases cannot be read: \(error)")
        }
    }()

    /// - Parameter lines: three lines, of which the second and the third may continue on lines that are indented more.
    private init(_ lines: [Substring]) throws {
        let text = lines.joined(separator: "\n").replacing("\n    ", with: " ")
        let parts = text.split(separator: "\n")
        guard parts.count == 3, parts.dropFirst().allSatisfy({ $0.hasPrefix("  ") }) else {
            throw NotationError(text: text)
        }
        title = String(parts[0])
        situation = String(parts[1].dropFirst(2))
        decision = String(parts[2].dropFirst(2))
    }
}
