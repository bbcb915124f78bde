import Foundation
import QuakeTestSupport
import Testing

@Suite("The table of what came from where")
struct SeedsTests {
    @Test("Every test it names as a proof exists")
    func proofsExist() throws {
        let root = Fixture.projectDirectory
        let document = try String(contentsOf: root.appending(path: "Documentation/seeds.md"), encoding: .utf8)
        let enumerator = try #require(
            FileManager.default.enumerator(at: root.appending(path: "Tests"), includingPropertiesForKeys: nil))
        let sources = try enumerator.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
            .map { try String(contentsOf: $0, encoding: .utf8) }.joined()
        let tables = document.components(separatedBy: "| described | here | proved by |").dropFirst()
        let rows = tables.flatMap { table in
            table.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2).prefix { $0.hasPrefix("| ") }
        }
        var proofs = 0
        for row in rows {
            guard let cell = row.split(separator: "|").last else { continue }
            for proof in cell.split(separator: ",") {
                let names = proof.trimmingCharacters(in: .whitespaces).split(separator: ".")
                for name in names where name != "—" && !name.hasPrefix("-") {
                    #expect(
                        sources.contains("struct \(name)") || sources.contains("func \(name)("),
                        "\(name) in: \(row)")
                    proofs += 1
                }
            }
        }
        #expect(proofs > 40)
    }
}
