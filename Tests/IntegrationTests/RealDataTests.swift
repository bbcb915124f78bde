import Foundation
import QuakeTestSupport
import Testing

@Suite("Feeds as USGS published them", .needsRealData, .timeLimit(.minutes(5)), .scratch)
struct RealDataTests {
    private static let first = "feeds/all_week__2021-07-20T1423Z__api1.10.3.geojson"
    private static let second = "feeds/all_week__2021-07-22T2039Z__api1.10.3.geojson"

    private func refresh(_ cache: Cache, _ path: String) async throws -> JSONValue {
        try await cache.json("refresh", "--format", "json", RealData.url(path).path)
    }

    @Test("A week, two days later again, and the same once more")
    func week() async throws {
        let cache = try Cache.ofTest()
        let first = try await refresh(cache, Self.first)
        #expect(first["inserted"]["new"].integer == 3098 && first["transaction"].integer == 1)
        #expect(try await cache.output("list", "--count") == "3098\n")

        let second = try await refresh(cache, Self.second)
        let inserted = second["inserted"]
        #expect((inserted["new"].integer ?? 0) + (inserted["late"].integer ?? 0) == 1340)
        #expect(inserted["restored"].integer == 0 && inserted["split"].integer == 0)
        #expect(second["updated"]["revised"].integer == 167 && second["updated"]["renamed"].integer == 3)
        #expect(second["same"].integer == 1735 && second["missing"].integer == 4)
        #expect(second["deleted"]["retracted"].integer == 0 && second["deleted"]["merged"].integer == 0)
        #expect(try await cache.output("list", "--count") == "4438\n")

        let doubts = try await cache.json("status", "--format", "json")["doubts"].elements
        let missing = doubts.filter { $0["news"].text == "absent" }.map { $0["id"].text }
        #expect(Set(missing) == ["nn00815145", "nn00815133", "ci39746679", "nn00815110"])
        #expect(second["doubtful"].integer == 37 && doubts.count { $0["news"].text == "place" } == 37)
        let third = try await refresh(cache, Self.second)
        #expect(third["same"].integer == 3280 && third["transaction"].isNull && third["token"] == second["token"])
    }

    @Test("In the tables for people 47 of 3,280 quakes say that they are no earthquakes, as their titles do")
    func kinds() async throws {
        let cache = try Cache.ofTest()
        _ = try await refresh(cache, Self.second)
        let others = try await cache.records("list", "--format", "ndjson").filter {
            $0["type"].text != "earthquake"
        }
        let titles = Set(others.compactMap { $0["title"].text })
        #expect(others.count == 47)
        for command in ["list", "changes"] {
            let lines = try await cache.output(command).split(separator: "\n")
            let words = ["Quarry Blast - ", "Explosion - ", "Ice Quake - "]
            let telling = lines.filter { line in words.contains { line.contains($0) } }
            #expect(telling.count == 47)
            // `M 1.1 Quarry Blast - 5 km SE of Owasso, Oklahoma` without its magnitude.
            for title in titles {
                let words = title.split(separator: " ").dropFirst(2).joined(separator: " ")
                #expect(telling.contains { $0.contains(words) }, "\(title)")
            }
        }
        let places = try await cache.output("list", "--min-mag", "3.9", "--fields", "place")
        #expect(places.contains("\nExperimental Explosion - 187 km ENE of Flagler Beach, Florida\n"))
        #expect(try await cache.output("show", "us7000emme").contains("experimental explosion us7000emme"))
    }

    @Test("The history between the two tells which fields changed")
    func changes() async throws {
        let cache = try Cache.ofTest()
        let token = try #require(try await refresh(cache, Self.first)["token"].text)
        _ = try await refresh(cache, Self.second)
        let records = try await cache.records("changes", "--since-token", token, "--format", "ndjson").dropLast()
        #expect(records.count == 1510)
        let revised = records.filter { $0["reason"].text == "revised" }.map {
            $0["changed"].elements.compactMap(\.text)
        }
        #expect(revised.count == 167)
        #expect(revised.count { $0 == ["updated"] } == 13)
        // 35 more changed in nothing but the name of an unmoved hypocenter.
        #expect(revised.allSatisfy { $0.contains("updated") })
        let renamed = records.filter { $0["reason"].text == "renamed" }
        let pairs = renamed.map { record in
            "\(record["before"]["net"].text ?? "")\(record["before"]["code"].text ?? "") \(record["id"].text ?? "")"
        }
        #expect(Set(pairs) == ["us7000enmc ci39746767", "ak02198hmo8v us7000enm4", "mb80515939 uw61755601"])
    }

    @Test("One code of two networks is two quakes, and an old id finds the quake")
    func identity() async throws {
        let cache = try Cache.ofTest()
        _ = try await refresh(cache, Self.first)
        _ = try await refresh(cache, Self.second)
        #expect(try await cache.output("show", "ok2021ocoi").hasPrefix("what        earthquake ok2021ocoi\n"))
        #expect(try await cache.output("show", "tx2021ocoi").hasPrefix("what        earthquake tx2021ocoi\n"))
        #expect(try await cache.output("show", "us7000enmc").hasPrefix("what        earthquake ci39746767\n"))
    }

    /// The last parts of places of the two weeks that are California, counted by an independent program: 1,179 ", CA",
    /// 628 ", California" and 2 "California-Nevada border region".
    @Test("--region California finds every spelling, and --place says so")
    func regions() async throws {
        let cache = try Cache.ofTest()
        _ = try await refresh(cache, Self.first)
        _ = try await refresh(cache, Self.second)
        #expect(try await cache.output("list", "--region", "California", "--count") == "1809\n")
        #expect(try await cache.output("list", "--region", "ca", "--region", "nv", "--count") == "2079\n")
        let records = try await cache.records("list", "--fields", "place,region", "--format", "ndjson")
        let california = records.filter { $0["region"].text?.contains("California") ?? false }
        let parts = california.compactMap { $0["place"].text?.split(separator: ",").last }
        #expect(parts.count { $0 == " CA" } == 1179 && parts.count { $0 == " California" } == 628)
        #expect(parts.count { $0 == "California-Nevada border region" } == 2 && parts.count == 1809)

        let mexico = records.count { $0["region"].text == "Mexico" }
        #expect(try await cache.output("list", "--region", "mexico", "--count") == "\(mexico)\n")
        let result = try await cache.run("list", "--place", "California", "--count")
        #expect(
            result.output == "630\n"
                && result.errorOutput
                    == "quakes: --place matches the text of places; --region California finds all 1,809 in the region\n"
        )
        let code = try await cache.run("list", "--place", ", CA", "--ids", "-q")
        #expect(code.errorOutput.isEmpty)
        let empty = try await cache.run("list", "--region", "Californa", "--count")
        #expect(empty.exitStatus == 64 && empty.errorOutput.contains("Did you mean California"))

        let part = try await cache.run("list", "--region", "Quebec")
        #expect(part.exitStatus == 64)
        #expect(try await cache.run("list", "--region", "Kodiak Island region").exitStatus == 64)
        #expect(
            part.errorOutput.contains(
                "\"Quebec\" is part of Canada, and most USGS places name only Canada. Use --region Canada, or --bbox or "
                    + "--near for a part of it."))
        let country = try await cache.run("list", "--region", "USA")
        #expect(country.exitStatus == 64 && country.errorOutput.contains("no region for the whole United States"))

        let regions = try await cache.json("summary", "--format", "json")["regions"].elements
        #expect(regions.first?["name"].text == "California" && regions.first?["count"].integer == 1809)
        #expect(try await cache.output("summary").contains("\nregions     California 1,809, "))
    }

    @Test("list --min-mag 2 lists what the feeds hold, in every form")
    func list() async throws {
        let cache = try Cache.ofTest()
        _ = try await refresh(cache, Self.first)
        _ = try await refresh(cache, Self.second)
        let expected = try independentCount()
        let options = ["list", "--min-mag", "2", "--format"]
        #expect(try await cache.output("list", "--min-mag", "2", "--count") == "\(expected)\n")
        #expect(try await cache.json("list", "--min-mag", "2", "--format", "json").elements.count == expected)
        #expect(try await cache.records("list", "--min-mag", "2", "--format", "ndjson").count == expected)
        let collection = try await cache.json("list", "--min-mag", "2", "--format", "geojson")
        #expect(collection["features"].elements.count == expected)
        for form in ["csv", "tsv", "table"] {
            let text = try await cache.quakes.run(options + [form]).output
            let count = form == "csv" ? RFC4180.records(text).count : text.split(separator: "\n").count
            #expect(count == expected + 1, "\(form)")
        }
    }

    /// Counts what the newest version of each quake says, without this program: renamed ones under their new id.
    private func independentCount() throws -> Int {
        var magnitudes: [String: Double] = [:]
        for path in [Self.first, Self.second] {
            for feature in try JSONValue(RealData.data(path))["features"].elements {
                let id = try #require(feature["id"].text)
                let aliases = (feature["properties"]["ids"].text ?? "").split(separator: ",").map(String.init)
                if magnitudes[id] == nil { for alias in aliases { magnitudes[alias] = nil } }
                magnitudes[id] = feature["properties"]["mag"].number ?? -99
            }
        }
        return magnitudes.values.count { $0 >= 2 }
    }

    @Test("Every feed and every reply of the event service refreshes; a detail feed is refused with 65")
    func everyFile() async throws {
        for folder in ["feeds", "fdsn", "detail"] {
            let names = try FileManager.default.contentsOfDirectory(atPath: RealData.url(folder).path)
                .filter { $0.hasSuffix(".geojson") }.sorted()
            #expect(!names.isEmpty)
            for name in names {
                try await withCache { cache, _ async throws in
                    let path = try RealData.url("\(folder)/\(name)")
                    let result = try await cache.run("refresh", "--format", "json", path.path)
                    guard folder != "detail" else {
                        #expect(result.exitStatus == 65 && result.output.contains("\"outcome\":\"failed\""))
                        #expect(result.errorOutput.contains("found a Feature"))
                        return
                    }
                    #expect(result.exitStatus == 0, "\(name): \(result.errorOutput)")
                    let report = try JSONValue(result.standardOutput)
                    let features = try JSONValue(Data(contentsOf: path))["features"].elements.count
                    #expect(
                        report["features"].integer == features && report["inserted"]["new"].integer == features,
                        "\(name)")
                }
            }
        }
    }

    @Test("A reader that stops after one line of thousands leaves the token where it was")
    func earlyReader() async throws {
        let cache = try Cache.ofTest()
        _ = try await refresh(cache, Self.first)
        let shell = ProcessRunner(path: "/bin/sh", environment: cache.quakes.environment)
        _ = try await shell.run("-c", "\"$0\" changes --since-token | head -n 1", cache.quakes.executable)
        #expect(try await cache.output("changes", "--since-token").contains("\n3,098 changes, up to transaction "))
    }
}
