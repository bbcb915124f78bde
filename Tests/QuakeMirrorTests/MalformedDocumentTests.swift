import Foundation
import QuakeMirror
import QuakeTestSupport
import Testing

@Suite("Documents with one defect or oddity", .scratch) struct MalformedDocumentTests {
    struct Defect: Decodable, CustomTestStringConvertible {
        var file: String
        var outcome: String
        var why: String
        var skipped: Int
        var inserted: Int

        var testDescription: String { "\(file): \(why)" }

        static let all: [Defect] = {
            do {
                return try JSONDecoder().decode([Defect].self, from: Fixture.data("malformed/EXPECTED.json"))
            } catch {
                preconditionFailure("Fixtures/malformed/EXPECTED.json cannot be read: \(error)")
            }
        }()
    }

    // Proves rules 14 and 16 of mirroring.md.
    @Test(
        "Each malformed document is rejected, read in part or accepted as EXPECTED.json says",
        arguments: Defect.all)
    func defectiveDocument(of defect: Defect) throws {
        let replay = try Replay(in: .ofTest())
        let path = Fixture.url("malformed/\(defect.file)").path
        if defect.outcome == "refused" {
            let fault = #expect(throws: FeedError.self) { try replay.apply(path) }
            guard case .document(_, path) = fault else {
                Issue.record("refused for another reason: \(String(describing: fault))")
                return
            }
            #expect(try replay.context.history.currentToken().number == 0 && replay.context.sources.feeds().isEmpty)
        } else {
            let step = try replay.apply(path)
            #expect(step.report.skipped.count == defect.skipped)
            #expect(step.changes.count == defect.inserted)
            #expect(step.report.inserted[.new, default: 0] == defect.inserted)
            let again = try replay.apply(path)
            #expect(again.changes.isEmpty && again.report.skipped.count == defect.skipped)
        }
    }

    // Proves rule 16 of mirroring.md.
    @Test(
        "With --strict, a document with an unreadable feature is rejected",
        arguments: Defect.all.filter { $0.outcome == "skipped" })
    func strict(_ defect: Defect) throws {
        let replay = try Replay(in: .ofTest(), settings: MirrorSettings(isStrict: true))
        let path = Fixture.url("malformed/\(defect.file)").path
        let fault = #expect(throws: FeedError.self) { try replay.apply(path) }
        guard case .document(let error, path) = fault, error.kind == .badFeatures else {
            Issue.record("not refused for its features: \(String(describing: fault))")
            return
        }
        #expect(error.skipped.map(\.position) == [4])
        #expect(try replay.context.history.currentToken().number == 0 && replay.context.sources.feeds().isEmpty)
    }
}
