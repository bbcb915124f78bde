import Foundation
import QuakeTestSupport
import Testing

@testable import QuakeModel

/// Every spelling of a region leads to one name. Fixtures/regions.tsv lists the spellings and their names.
struct RegionTests {
    private static let table: [String: String] = {
        let lines = (try? String(contentsOf: Fixture.url("regions.tsv"), encoding: .utf8))?.split(separator: "\n") ?? []
        let pairs = lines.dropFirst().map { $0.split(separator: "\t").map(String.init) }
        return Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], $0[1]) })
    }()

    @Test("Each spelling in regions.tsv is recognized as the region given there") func everySpelling() {
        #expect(Self.table.count > 300)
        for (part, region) in Self.table {
            #expect(Region.text(ofPlace: "12 km SSE of Somewhere, \(part)", longitude: -90) == region)
            #expect(Region.text(ofPlace: part, longitude: -90) == region)
            // A name leads to itself.
            #expect(
                region.split(separator: ", ").flatMap { Region.names(ofPart: String($0)) }.joined(separator: ", ")
                    == region)
        }
    }

    @Test("regions.tsv contains every region spelling in the published USGS data", .needsRealData)
    func publishedSpellings() throws {
        var parts: Set<String> = []
        let paths = try FileManager.default.subpathsOfDirectory(atPath: RealData.url("").path)
        for path in paths where path.contains("json") && !path.contains("TRUTH") {
            let data = try path.hasSuffix(".gz") ? RealData.unzipped(path) : RealData.data(path)
            guard let document = try JSONSerialization.jsonObject(with: data) as? [String: Any] else { continue }
            for feature in document["features"] as? [[String: Any]] ?? [document] {
                let properties = feature["properties"] as? [String: Any]
                if let place = properties?["place"] as? String { parts.insert(Region.partAfterLastComma(of: place)) }
            }
        }
        #expect(parts.count == 310)
        #expect(parts.subtracting(Self.table.keys).isEmpty)
    }

    @Test("An empty place name, or one that ends in a comma, has no region") func noRegion() {
        for place in ["", "  ", "5 km S of Nowhere,", ", ", nil] {
            #expect(Region.text(ofPlace: place, longitude: -90) == nil)
        }
    }

    @Test("A state's postal abbreviation is recognized even in lower case") func postalCodes() {
        #expect(Region.names(ofQuery: "ca") == ["California"])
        #expect(Region.names(ofQuery: " , CA") == ["California"])
        #expect(Region.names(ofQuery: "canada") == ["Canada"])
    }

    @Test("The longitude tells the U.S. state of Georgia from the country of Georgia") func georgias() {
        let state = ["5 km S of Macon, Georgia", "Georgia", "southern Georgia"]
        for place in state { #expect(Region.names(ofPlace: place, longitude: -83.6) == ["Georgia"]) }
        for place in state { #expect(Region.names(ofPlace: place, longitude: 44.8) == ["Georgia (country)"]) }
        let borders = [
            ("Georgia-Russia border region", "Georgia (country)", "Russia"),
            ("Armenia-Georgia Border Region", "Armenia", "Georgia (country)"),
        ]
        for (place, left, right) in borders { #expect(Region.names(ofPlace: place, longitude: 44) == [left, right]) }
        #expect(Region.names(ofPlace: "The 1991 Georgia earthquake", longitude: 44) == ["Georgia (country)"])
        let states = "Alabama-Georgia border region"
        #expect(Region.names(ofPlace: states, longitude: -85) == ["Alabama", "Georgia"])
        #expect(Region.names(ofPlace: "5 km S of X, New Georgia", longitude: 157) == ["New Georgia"])
        #expect(Region.names(ofQuery: "georgia (country)") == ["Georgia (country)"])
        #expect(Region.names(ofQuery: "GA") == ["Georgia"])
    }

    @Test(
        "A name such as Quebec is recognized as part of a region such as Canada",
        arguments: [
            ("Quebec", "Canada"), ("northern Québec", "Canada"), ("oaxaca", "Mexico"), ("Baja California", "Mexico"),
            ("Sumatra", "Indonesia"), ("Crete", "Greece"), ("Kamchatka", "Russia"), ("Aleutian Islands", "Alaska"),
            // A synonym is no part.
            ("CA", nil), ("ca", nil), ("California region", nil), ("western Texas", nil), ("Canada", nil),
            ("Türkiye", nil), ("Burma (Myanmar)", nil), ("Russian Federation", nil), ("Philippine Islands", nil),
            ("Northern Mariana Islands", nil), ("Hawaiian Islands", nil), ("Georgia (country)", nil),
        ] as [(String, String?)])
    func partsOfRegions(part: String, whole: String?) {
        #expect(Region.wholeRegion(ofQuery: part) == whole)
    }

    @Test(
        "Southern California counts as part of a region, but Northern Ireland as a whole region",
        arguments: [
            ("Southern California", true), ("off the coast of Oregon", true), ("the northern Gulf", true),
            ("Northern Ireland", false), ("Western Australia", false), ("The Bahamas", false), ("South Africa", false),
        ])
    func directions(name: String, isPart: Bool) {
        #expect(Region.hasDirection(inQuery: name) == isPart)
    }
}
