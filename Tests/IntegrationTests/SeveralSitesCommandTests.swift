import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

/// Several `--near` and `--bbox` in each command, compared with those of a single site.
@Suite("Quakes near any of several sites", .endsInTime, .scratch) struct SeveralSitesCommandTests {
    private static let sites = ["--near", "35.75,-117.48", "--near", "61.20,-149.90", "--near", "-33.10,-71.60"]
    private static let boxes = ["--bbox", "-130,30,-110,45", "--bbox", "-160,55,-140,65"]

    private func ids(_ cache: Cache, _ filter: [String]) async throws -> Set<String> {
        let result = try await cache.quakes.run(["list", "--ids"] + filter)
        #expect(result.exitStatus == 0, "\(result.errorOutput)")
        return Set(result.output.split(separator: "\n").map(String.init))
    }

    /// The quakes near one of `sites` and, if there are boxes, in one of them: the union of single commands.
    private func expected(_ cache: Cache, radius: String) async throws -> (sites: Set<String>, both: Set<String>) {
        var near: Set<String> = []
        var boxed: Set<String> = []
        for site in stride(from: 0, to: Self.sites.count, by: 2).map({ Array(Self.sites[$0...($0 + 1)]) }) {
            near.formUnion(try await ids(cache, site + ["--radius", radius]))
        }
        for box in stride(from: 0, to: Self.boxes.count, by: 2).map({ Array(Self.boxes[$0...($0 + 1)]) }) {
            boxed.formUnion(try await ids(cache, box))
        }
        return (near, near.intersection(boxed))
    }

    @Test("With several --near and --bbox, commands select quakes near any site and in any box")
    func severalSites() async throws {
        let (cache, scratch) = try await Cache.andFolderOfDay()
        let (near, both) = try await expected(cache, radius: "600km")
        #expect(near.count > both.count && !both.isEmpty && near.count < 24)
        for (filter, wanted) in [(Self.sites, near), (Self.sites + Self.boxes, both)] {
            let filter = filter + ["--radius", "600km"]
            #expect(try await ids(cache, filter) == wanted)
            let map = try await cache.quakes.run(["map", "-v", "--output", scratch.path("map.svg")] + filter)
            #expect(map.errorOutput.contains(", \(wanted.count) quake"), "\(map.errorOutput)")
            let page = try await cache.quakes.run(["map", "--output", scratch.path("map.html")] + filter)
            #expect(page.exitStatus == 0, "\(page.errorOutput)")
            let summary = try await cache.quakes.run(["summary", "--format", "json"] + filter)
            #expect(try JSONValue(summary.standardOutput)["count"].integer == wanted.count)
            for command in [["changes"], ["diff", "beginning", "now"]] {
                let result = try await cache.quakes.run(command + ["--format", "ndjson"] + filter)
                let records = try result.output.split(separator: "\n").map { try JSONValue(Data($0.utf8)) }
                #expect(Set(records.compactMap { $0["kind"].text == "change" ? $0["id"].text : nil }) == wanted)
            }
            let purge = try await cache.quakes.run(["purge", "--dry-run", "--format", "json"] + filter)
            #expect(try JSONValue(purge.standardOutput)["quakes"].integer == wanted.count)
        }
    }

    @Test("With several --near, each quake's distance and intensity are for the site named in its row")
    func nearestSite() async throws {
        let cache = try await Cache.ofDay()
        let filter = Self.sites + ["--radius", "20000"]
        let rows = try await cache.quakes.run(["list", "--format", "csv"] + filter).output.split(separator: "\n")
        #expect(rows[0].hasSuffix(",distance,bearing,intensity,site") && rows.count == 25)
        let records = try await cache.quakes.run(["list", "--format", "ndjson"] + filter).output
            .split(separator: "\n").map { try JSONValue(Data($0.utf8)) }
        let template = "{id} {distance:raw} {bearing:raw} {intensity:raw} {site}"
        let lines = try await cache.quakes.run(["list", "--template", template] + filter).output.split(separator: "\n")
        #expect(records.count == 24 && lines.count == 24)
        let names = Set(records.compactMap { $0["site"].text })
        #expect(names == ["35.75,-117.48", "61.20,-149.90", "-33.10,-71.60"])
        for site in names {
            // The same quakes, measured from this site alone.
            let alone = try await cache.quakes.run(
                ["list", "--template", template, "--near", site, "--radius", "20000"]
            ).output.split(separator: "\n")
            let nearest = Set(lines.filter { $0.hasSuffix(" \(site)") })
            #expect(!nearest.isEmpty && nearest.isSubset(of: alone))
        }
        let changes = try await cache.quakes.run(["changes", "--format", "csv"] + filter).output
        #expect(changes.prefix { $0 != "\n" }.hasSuffix(",site"))
        let last = try await cache.quakes.run(["changes", "--template", "{id} {site}"] + filter).output
        #expect(
            Set(last.split(separator: "\n")).isSubset(
                of: Set(records.map { "\($0["id"].text ?? "") \($0["site"].text ?? "")" }.map { $0[...] })))
        let each = try await cache.quakes.run(
            ["changes", "--since-token", "beginning", "--exec-each", "echo $QUAKE_ID $QUAKE_SITE"] + filter)
        #expect(Set(each.output.split(separator: "\n")) == Set(last.split(separator: "\n")), "\(each.errorOutput)")
        let table = try await cache.quakes.run(["list"] + filter).output
        #expect(
            table.prefix { $0 != "\n" }.hasSuffix("PLACE                                   SITE")
                || table.contains("SITE"))
    }

    @Test("quakes changes --follow with several --near prints quakes near any of the sites") func followSites()
        async throws
    {
        let cache = try await Cache.ofDay()
        let wanted = try await expected(cache, radius: "600km").sites
        let arguments = [
            "changes", "--since-token", "beginning", "--follow", "--timeout", "1s", "--format", "ndjson", "--radius",
            "600km",
        ]
        let result = try await cache.quakes.run(arguments + Self.sites)
        let records = try result.output.split(separator: "\n").map { try JSONValue(Data($0.utf8)) }
        #expect(Set(records.compactMap { $0["kind"].text == "change" ? $0["id"].text : nil }) == wanted)
    }

    @Test("quakes backfill and quakes details reject a second --near or --bbox", arguments: ["backfill", "details"])
    func oneSiteOnly(command: String) async throws {
        let cache = try await Cache.ofDay()
        for (option, filter) in [("--near", Self.sites + ["--radius", "100"]), ("--bbox", Self.boxes)] {
            let result = try await cache.quakes.run([command, "--dry-run"] + filter)
            #expect(result.exitStatus == 64, "\(result.output)")
            #expect(result.errorOutput.contains("\(option) can be given only once here"), "\(result.errorOutput)")
        }
    }

    @Test("quakes list --near sorts newest first unless --sort distance is given") func sortOrder() async throws {
        let cache = try await Cache.ofDay()
        let near = ["list", "--near", "35.75,-117.48", "--radius", "20000", "--ids"]
        let newest = try await cache.output("list", "--ids")
        #expect(try await cache.quakes.run(near).output == newest)
        #expect(try await cache.quakes.run(near + ["--limit", "1"]).output == newest.prefix { $0 != "\n" } + "\n")
        let nearest = try await cache.quakes.run(near + ["--sort", "distance"]).output
        #expect(nearest != newest && Set(nearest.split(separator: "\n")) == Set(newest.split(separator: "\n")))
    }
}
