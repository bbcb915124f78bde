import QuakeTestSupport
import Testing

@testable import QuakeCommands

@Suite("A quake that is named twice", .scratch) struct RepeatedIDTests {
    private let cache: MappedCache

    init() throws { cache = try .ofTest() }

    @Test(
        "quakes show shows a quake once that several of its ids name, in the order of first mention",
        arguments: ["text", "json", "ndjson", "csv", "quakeml"])
    func show(format: String) throws {
        func output(_ ids: String...) throws -> String {
            let outcome = try cache.run(["show", "--format", format] + ids)
            #expect(outcome.status == .success && outcome.errors.isEmpty)
            return outcome.output
        }
        #expect(try output("us200", "US200") == output("us200"))
        #expect(try output("ci300", MappedCache.renamed, "ci300") == output(MappedCache.renamed))
        let both = try output("us200", "ak100", "us200")
        #expect(try both == output("us200", "ak100") && both != output("ak100", "us200"))
    }

    @Test("quakes show reports an unknown id that is given twice once") func unknownID() throws {
        let outcome = try cache.run("show", "us999", "US999", "us200")
        #expect(outcome.status == .noRows && outcome.output.contains("us200"))
        #expect(outcome.errors == "quakes: No quake in the cache has the current or former id us999.\n")
    }

    @Test("A quake given twice with --near is one site") func near() throws {
        for fields in [[], ["--fields", "id,distance,site"]] {
            func list(_ ids: String...) throws -> String {
                try cache.run(["list", "--radius", "20000"] + fields + ids.flatMap { ["--near", $0] }).output
            }
            #expect(try list("us200", "us200") == list("us200"))
            #expect(try list("ci300", "us200", MappedCache.renamed) == list("ci300", "us200"))
        }
    }
}
