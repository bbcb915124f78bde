import CQuakes
import Foundation
import QuakeMapFiles
import QuakeModel
import Testing

@testable import QuakeMap

/// A quake with what a map shows.
private func quake(
    _ code: String, _ magnitude: Double?, latitude: Double, longitude: Double, depth: Double? = 10,
    place: String? = "Somewhere"
) -> Quake {
    var quake = Quake(
        net: "us", code: code, originTime: Timestamp(milliseconds: 1_746_366_780_000),
        updated: Timestamp(milliseconds: 1_746_366_780_000),
        hypocenter: Hypocenter(longitude: longitude, latitude: latitude, depthKilometers: depth))
    quake.magnitude = magnitude
    quake.place = place
    return quake
}

private func picture(_ quakes: [Quake], selected: String? = nil) -> MapPicture {
    var picture = MapPicture(
        quakes: quakes, title: "M 4.5+ · past week", subtitle: "as of 2025-05-04 13:53 UTC",
        asOf: Timestamp(milliseconds: 1_746_370_000_000))
    picture.selectedID = selected
    return picture
}

private let hostilePlaces = [
    "</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", "a\u{2028}b", "\u{202E}desrever", "\"'&<>",
    "\u{1B}[31mred", "]]>", "</text></svg>", "日本 · Pāhala",
]

private let tonga = [
    quake("a", 7.1, latitude: -20, longitude: -175, depth: 33), quake("b", 4.6, latitude: -22, longitude: 179),
    quake("c", 1.2, latitude: -18, longitude: 178, depth: 590),
    quake("d", nil, latitude: -19, longitude: -179, depth: nil),
]

@Suite struct TerminalMapTests {
    @Test(arguments: [(40, 20), (80, 24), (120, 40), (200, 60), (20, 8)], [true, false])
    func fitsTheWindow(size: (columns: Int, rows: Int), unicode: Bool) {
        let map = TerminalMap(columns: size.columns, rows: size.rows, usesColor: false, usesUnicode: unicode)
        for quakes in [tonga, [], [tonga[0]]] {
            let lines = map.lines(picture(quakes, selected: "usa"))
            #expect(lines.count <= size.rows)
            for line in lines { #expect(DisplayWidth.columns(of: line) <= size.columns, "\(line)") }
        }
    }

    @Test func colorChangesNothingButColor() {
        // So low that there is no legend, which explains colours only where there are some.
        let plain = TerminalMap(columns: 80, rows: 15, usesColor: false, usesUnicode: true).lines(picture(tonga))
        let colored = TerminalMap(columns: 80, rows: 15, usesColor: true, usesUnicode: true).lines(picture(tonga))
        let stripped = colored.map { $0.replacing(/\u{1B}\[[0-9;]*m/, with: "") }
        #expect(stripped == plain)
        #expect(colored.contains { $0.contains("\u{1B}[38;5;") })
        #expect(!plain.joined().contains("\u{1B}"))
    }

    @Test func withoutUnicodeEverythingIsASCII() {
        var asked = picture(hostilePlaces.enumerated().map { quake("\($0)", 5, latitude: 1, longitude: 1, place: $1) })
        asked.selectedID = "us8"
        let lines = TerminalMap(columns: 100, rows: 30, usesColor: true, usesUnicode: false).lines(asked)
        #expect(lines.joined().unicodeScalars.allSatisfy { $0.isASCII })
    }

    @Test func theSelectedQuakeIsMarkedAndNamed() throws {
        let lines = TerminalMap(columns: 80, rows: 24, usesColor: false, usesUnicode: true)
            .lines(picture(tonga, selected: "USA"))
        let marked = try #require(lines.first { $0.contains("│") && $0.contains("◎") })
        #expect(marked.contains("M 7.1"))
        #expect(lines.contains { $0.hasPrefix("◎ M 7.1 Somewhere, 33 km deep") && $0.contains("usa") })
    }

    @Test func largerQuakesLieOnTop() {
        let big = quake("big", 7.5, latitude: 10, longitude: 10)
        let small = quake("small", 1, latitude: 10, longitude: 10)
        // Without a title and a legend, so that every symbol is a quake.
        let map = TerminalMap(columns: 80, rows: 12, usesColor: false, usesUnicode: true)
        let symbols = { (quakes: [Quake]) in map.bareLines(picture(quakes)).joined().filter { "·•○●◆".contains($0) } }
        #expect(symbols([small]) == "·" && symbols([big]) == "◆")
        #expect(symbols([big, small]) == "◆" && symbols([small, big]) == "◆")
    }

    @Test func aBareMapShowsOneQuakeInItsRegionAndNothingElse() {
        let map = TerminalMap(columns: 80, rows: 14, usesColor: false, usesUnicode: true)
        for quake in tonga + [quake("pole", 5, latitude: 89.5, longitude: 180)] {
            let lines = map.bareLines(MapPicture(surroundingsOf: quake))
            #expect((10...14).contains(lines.count), "\(lines.joined(separator: "\n"))")
            #expect(lines.first?.contains("┌") == true && lines.last?.contains("┘") == true)
            #expect(lines.contains { $0.contains("◎") })
        }
    }

    @Test func noQuakesIsSaid() {
        let lines = TerminalMap(columns: 80, rows: 24, usesColor: false, usesUnicode: true).lines(picture([]))
        #expect(lines[0].hasSuffix("no quakes match"))
    }

    @Test func hostileTextReachesNoTerminal() {
        for (number, place) in hostilePlaces.enumerated() {
            var asked = picture(
                [quake("x\(number)", 5, latitude: 1, longitude: 1, place: place)], selected: "usx\(number)")
            asked.title = place
            let text = TerminalMap(columns: 100, rows: 30, usesColor: false, usesUnicode: true).lines(asked).joined()
            #expect(!text.unicodeScalars.contains(where: TerminalText.isUnsafe))
        }
    }
}

@Suite struct SVGMapTests {
    @Test func theDocumentIsWellFormedWhateverTheTextsSay() throws {
        for place in hostilePlaces {
            var asked = picture([quake("a", 6, latitude: 1, longitude: 1, place: place)] + tonga, selected: "usa")
            asked.title = place
            let document = SVGMap().document(asked)
            let parser = XMLReader(document)
            #expect(parser.isWellFormed, "\(place)")
            #expect(!parser.elements.contains("script") && !parser.elements.contains("img"))
        }
    }

    @Test func everyQuakeIsACircleAndSourcesAreNamed() {
        let document = SVGMap().document(picture(tonga))
        // Four quakes; seven circles are the legend's.
        #expect(document.ranges(of: "<circle").count == 11)
        #expect(document.contains("Natural Earth (public domain)") && document.contains("P. Bird 2003"))
        #expect(document.contains("M 4.5+ · past week") && document.contains("as of 2025-05-04 13:53 UTC"))
        #expect(SVGMap().document(picture([])).contains("No quakes match."))
    }
}

@Suite struct HTMLMapTests {
    @Test func theDataBlockIsJSONThatNothingInItEnds() throws {
        let quakes = hostilePlaces.enumerated().map { quake("\($0)", 5, latitude: 1, longitude: 1, place: $1) }
        let page = String(decoding: HTMLMap().document(picture(quakes)), as: UTF8.self)
        #expect(page.ranges(of: "<script").count == 4)
        #expect(page.ranges(of: "</script>").count == 4)
        #expect(!page.contains("\u{2028}") && !page.contains("\u{202E}") && !page.contains("<img"))
        let start = try #require(page.range(of: "id=\"data\">")).upperBound
        let end = try #require(page.range(of: "</script>", range: start..<page.endIndex)).lowerBound
        let json = try #require(
            JSONSerialization.jsonObject(with: Data(page[start..<end].utf8)) as? [String: Any])
        let places = try #require(json["place"] as? [String])
        #expect(places == hostilePlaces.map(TerminalText.sanitized))
    }

    @Test func noPlaceholderIsLeftAndNothingIsLoaded() {
        let page = String(decoding: HTMLMap().document(picture(tonga)), as: UTF8.self)
        #expect(page.ranges(of: /\{\{[a-z]+\}\}/).isEmpty)
        #expect(!page.contains(" src=") && !page.contains("@import") && !page.contains("url("))
        #expect(page.contains("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "))
    }

    @Test func peopleReadShortNumbersAndFiltersExactOnes() {
        let page = String(
            decoding: HTMLMap().document(picture([quake("a", 1.5, latitude: 1, longitude: 1, depth: 1.1100000143051)])),
            as: UTF8.self)
        #expect(page.contains("<td>1.11<td>") && page.contains("\"depth\":[1.1100000143051]"))
    }

    @Test func historyTravelsWithItsQuake() {
        var asked = picture(tonga)
        asked.revisions["usb"] = [
            .init(
                seen: Timestamp(milliseconds: 1_746_366_790_000), reason: .revised,
                changes: [.init(property: .mag, before: .real(4.5), after: .real(4.6))])
        ]
        let page = String(decoding: HTMLMap().document(asked), as: UTF8.self)
        #expect(page.contains("\"history\":{\"1\":[[10000,"))
        #expect(page.contains(",4.5,4.6]"))
    }

    @Test func thePolicyNamesTheHashesOfTheStyleSheetAndTheScript() {
        for (name, file, hash) in [
            ("styleHash", quakeMapPageCSS(), HTMLMap.styleHash), ("scriptHash", quakeMapPageJS(), HTMLMap.scriptHash),
        ] {
            var digest = Data(count: 32)
            digest.withUnsafeMutableBytes { quakes_sha256(file.bytes, file.count, $0.baseAddress) }
            let expected = digest.base64EncodedString()
            #expect(hash == expected, "HTMLMap.swift: static let \(name) = \"\(expected)\"")
        }
        let page = String(decoding: HTMLMap().document(picture(tonga)), as: UTF8.self)
        #expect(page.contains("style-src 'sha256-\(HTMLMap.styleHash)'; script-src 'sha256-\(HTMLMap.scriptHash)'"))
    }
}

@Suite struct QuakeRateTests {
    @Test func countsEveryQuakeOnceAndFitsTheWidth() throws {
        for (count, spacing) in [(10, 3_600_000), (500, 3_600_000), (2000, 86_400_000), (3, 1)] {
            let quakes = (0..<count).map { number in
                var one = quake("\(number)", 3, latitude: 0, longitude: 0)
                one.originTime = Timestamp(milliseconds: -40_000_000_000 + Int64(number * spacing))
                return one
            }
            let rate = try #require(QuakeRate(of: quakes, limit: 50))
            #expect(rate.counts.reduce(0, +) == count)
            #expect(rate.counts.count <= 50)
        }
    }
}
