import Foundation
import QuakeModel
import Testing

@testable import QuakeMap

private func quake(_ code: String, _ magnitude: Double, latitude: Double, longitude: Double, depth: Double? = 12)
    -> Quake
{
    var quake = Quake(
        net: "us", code: code, originTime: Timestamp(milliseconds: 1_746_366_780_000),
        updated: Timestamp(milliseconds: 1_746_366_780_000),
        hypocenter: Hypocenter(longitude: longitude, latitude: latitude, depthKilometers: depth))
    quake.magnitude = magnitude
    quake.place = "Somewhere"
    return quake
}

private func content(_ quakes: [Quake], title: String = "M 2.5+") -> MapContent {
    MapContent(
        quakes: quakes, title: title, subtitle: "as of 2025-05-04 13:53 UTC",
        asOf: Timestamp(milliseconds: 1_746_370_000_000))
}

@Suite("The layout of SVG maps") struct SVGLayoutTests {
    /// A text with the room that it takes.
    private struct PlacedText {
        var content: String
        var left: Double
        var right: Double
        var y: Double
        var size: Int

        func overlaps(_ other: PlacedText) -> Bool {
            left < other.right && right > other.left && abs(y - other.y) < Double(min(size, other.size)) - 1
        }
    }

    /// Returns the texts outside the map: the header and the legend.
    private func texts(in document: String) -> [PlacedText] {
        let lines = document.split(separator: "\n")
        let map = lines.firstIndex { $0.hasPrefix("<g transform") } ?? lines.endIndex
        let legend = lines.lastIndex { $0 == "</g>" } ?? lines.endIndex
        return (lines[..<map] + lines[min(legend, lines.endIndex)...]).compactMap { line in
            let pattern = /<text x="([\d.]+)" y="([\d.]+)" font-size="(\d+)"([^>]*)>([^<]*)</
            guard let match = line.prefixMatch(of: pattern), let x = Double(match.1), let y = Double(match.2),
                let size = Int(match.3)
            else { return nil }
            let width = SVGWriter.width(of: match.5, size: size, isBold: match.4.contains("font-weight"))
            let left = match.4.contains("\"end\"") ? x - width : match.4.contains("\"middle\"") ? x - width / 2 : x
            return PlacedText(content: String(match.5), left: left, right: left + width, y: y, size: size)
        }
    }

    private func expectNoOverlap(_ document: String) {
        let texts = texts(in: document)
        #expect(texts.count > 8)
        for (number, one) in texts.enumerated() {
            // The sources have a line of their own.
            #expect(one.left >= 0 && (one.right <= 1200 || one.y > 780), "\(one)")
            for other in texts[(number + 1)...] { #expect(!one.overlaps(other), "\(one)\n\(other)") }
        }
    }

    @Test("No texts of an SVG map's header and legend overlap", arguments: ["km", "mi"], [false, true])
    func noOverlap(unit: String, colorsByIntensity: Bool) throws {
        let depths: [Double?] = [5, 10, 20, 50, 100, 200, 400, 600, nil]
        var full = content(
            depths.enumerated().map { quake("\($0)", 3, latitude: 35 + Double($0), longitude: 140, depth: $1) })
        full.unit = unit
        full.chosenColoring = colorsByIntensity ? .intensity : .depth
        full.intensitySites = [MapContent.NamedPlace(point: GeographicPoint(latitude: 35, longitude: 140), name: "x")]
        full.scope = [.box(try BoundingBox(west: 130, south: 30, east: 150, north: 45))]
        full.title = String(repeating: colorsByIntensity ? "A long title · " : "Wide", count: 200)
        full.subtitle = String(repeating: "as of 2025 · ", count: 12)
        expectNoOverlap(SVGMap().document(full))
    }

    @Test("The classes of an SVG map's legend do not overlap, however many and long", arguments: [1, 9, 14, 30])
    func manyClasses(count: Int) {
        var svg = SVGWriter()
        let color = MapColoring.depth.scale.classes[0]
        SVGMap().drawColors((0..<count).map { ("\($0): a long label", color) }, &svg)
        #expect(svg.text.matches(of: /<rect/).count == count)
        let texts = texts(in: svg.text)
        for (number, one) in texts.enumerated() {
            #expect(one.left >= 478 && one.right <= 1178)
            for other in texts[(number + 1)...] { #expect(!one.overlaps(other), "\(one)\n\(other)") }
        }
    }

    @Test("A long title of an SVG map becomes smaller or takes two lines, and is not cut") func longTitle() {
        let dated = "Within 80 km of 37.8,-122.3 (near San Francisco, California) · January 1–December 31, 2024"
        let long = dated + " · reviewed quakes with reports only"
        for title in ["M 4.5+ · past week", dated, long] {
            let shown = texts(in: SVGMap().document(content([], title: title))).filter { $0.y < 60 && $0.left == 24 }
            #expect(shown.map(\.content).joined(separator: " ") == title)
            #expect((1...2).contains(shown.count))
        }
        let endless = texts(in: SVGMap().document(content([], title: String(repeating: "word ", count: 500))))
        #expect(endless.contains { $0.content.hasSuffix("…") && $0.y < 60 })
    }
}

@Suite("The background of SVG maps") struct SVGBackgroundTests {
    private func document(_ box: (Double, Double, Double, Double)) throws -> String {
        var shown = content([])
        shown.extent = MapBounds(try BoundingBox(west: box.0, south: box.1, east: box.2, north: box.3))
        return SVGMap().document(shown)
    }

    private func land(_ box: (Double, Double, Double, Double)) throws -> String {
        let document = try document(box)
        let paths = document.matches(of: /<path fill="#f7f4ee"[^>]* d="([^"]*)"/).map { String($0.1) }
        #expect(document.utf8.count < 400_000)
        return paths.joined()
    }

    @Test("The legend of an SVG map explains plate boundaries only if the map has one") func plateBoundary() throws {
        let california = try document((-123, 37, -121, 38.5))
        #expect(california.ranges(of: "stroke-dasharray=\"5 3\"").count == 2 && california.contains("plate boundary"))
        let nebraska = try document((-102, 40, -97, 43))
        #expect(!nebraska.contains("stroke-dasharray=\"5 3\"") && !nebraska.contains("plate boundary"))
    }

    @Test("An SVG map narrower than 60 degrees has coasts at 1:10 million") func nearCoasts() throws {
        // At 1:50 million, Puerto Rico has 26 points.
        let rings = try land((-68, 17.3, -64.5, 19.2)).split(separator: "M")
        #expect(rings.map { $0.count { $0 == "l" } }.max() ?? 0 > 150)
        #expect(try land((128, 30, 148, 46)).count > 30_000)
        // Points that cannot be seen are left out.
        #expect(try land((100, 0, 150, 25)).count < 200_000)
    }

    @Test("In an SVG map, land that crosses the 180th meridian has no coast there") func dateLine() throws {
        let chukotka = MapBounds(try BoundingBox(west: 170, south: 64, east: -170, north: 70))
        let cut = Outlines(.near, in: chukotka).coastlines.filter(\.isCut)
        #expect(!cut.isEmpty)
        for coast in cut.flatMap(\.coasts) {
            for (one, next) in zip(coast.points, coast.points.dropFirst()) {
                #expect(!(abs(one.longitude) == 180 && one.longitude == next.longitude))
            }
        }
        var shown = content([])
        shown.extent = chukotka
        #expect(SVGMap().document(shown).contains("stroke=\"#f7f4ee\""))
    }
}

@Suite("Signs on terminal maps") struct TerminalSignsTests {
    private let tokyo = GeographicPoint(latitude: 35.69, longitude: 139.69)

    private func nearTokyo(_ quakes: [Quake]) -> MapContent {
        let circle = MapContent.Scope.circle(center: tokyo, radiusKilometers: 300)
        var shown = content(quakes)
        shown.scope = [circle]
        shown.extent = circle.bounds
        shown.centers = [MapContent.NamedPlace(point: tokyo, name: "Tokyo")]
        shown.home = GeographicPoint(latitude: 34.69, longitude: 135.5)
        return shown
    }

    private func bare(_ content: MapContent, unicode: Bool = true) -> String {
        TerminalMap(columns: 80, rows: 24, usesColor: false, usesUnicode: unicode).bareLines(content)
            .joined(separator: "\n")
    }

    @Test("A terminal map names three to five cities, and more quakes do not disappear behind them") func cities() {
        let grid = stride(from: 33.0, to: 39, by: 0.4).flatMap { latitude in
            stride(from: 136.0, to: 143, by: 0.7).map {
                quake("\(latitude)\($0)", 7, latitude: latitude, longitude: $0)
            }
        }
        for quakes in [[], [grid[40]], Array(grid.prefix(60)), grid] {
            let named = bare(nearTokyo(quakes))
            #expect((3...5).contains(named.count { $0 == "▫" }), "\(named)")
            var unnamed = content(quakes)
            unnamed.extent = nearTokyo(quakes).extent
            // Without cities and areas, every quake is visible; only the center and the home may hide one.
            let canvasOnly = Set(quakes.map { "\($0.hypocenter)" }).count
            #expect(named.count { $0 == "◆" } >= min(canvasOnly, bare(unnamed).count { $0 == "◆" }) - 2)
        }
        #expect((3...5).contains(bare(content([])).count { $0 == "▫" }))
        #expect((3...5).contains(bare(nearTokyo([]), unicode: false).count { $0 == "*" }))
    }

    @Test("A terminal map marks the center and the circle of --near, and the home") func nearAndHome() {
        let map = bare(nearTokyo([]))
        #expect(map.contains("╋Tokyo") && map.contains("⌂home"))
        // A quake at the center is covered, unless it is the described one.
        let covered = nearTokyo([
            quake("a", 3, latitude: 35.69, longitude: 139.69), quake("b", 6, latitude: 34, longitude: 141),
        ])
        #expect(bare(covered).contains("╋"))
        #expect(!bare(nearTokyo([covered.quakes[0]])).contains("╋"))
        // The sea east of Japan is empty except for the circle.
        var plain = nearTokyo([])
        plain.scope = []
        let dots = { (text: String) in text.count { ("\u{2801}"..."\u{28FF}").contains($0) } }
        #expect(dots(map) > dots(bare(plain)) + 40)
    }

    @Test("A title in ASCII has letters without accents instead of question marks") func asciiTitle() {
        let map = TerminalMap(columns: 80, rows: 24, usesColor: false, usesUnicode: false)
        let title = "Kīlauea · M 2–5 · Hawaiʻi, Ísafjörður, Łódź"
        #expect(map.lines(content([], title: title))[0].hasPrefix("Kilauea - M 2-5 - Hawai'i, Isafjordur, Lodz "))
    }
}
