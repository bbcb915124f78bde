import Foundation
import QuakeFiles
import QuakeModel
import QuakePlaces
import QuakeTestSupport
import Testing

@testable import QuakeMap

/// A quake with the values that a map shows.
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

private func content(_ quakes: [Quake], selected: String? = nil) -> MapContent {
    var content = MapContent(
        quakes: quakes, title: "M 4.5+ · past week", subtitle: "as of 2025-05-04 13:53 UTC",
        asOf: Timestamp(milliseconds: 1_746_370_000_000))
    content.selectedID = selected
    return content
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

@Suite("Maps in a terminal") struct TerminalMapTests {
    @Test(
        "A terminal map has no more rows and columns than its window",
        arguments: [(40, 20), (80, 24), (120, 40), (200, 60), (20, 8)], [true, false])
    func fitsWindow(size: (columns: Int, rows: Int), unicode: Bool) {
        let map = TerminalMap(columns: size.columns, rows: size.rows, usesColor: false, usesUnicode: unicode)
        for quakes in [tonga, [], [tonga[0]]] {
            let lines = map.lines(content(quakes, selected: "usa"))
            #expect(lines.count <= size.rows)
            for line in lines { #expect(DisplayWidth.columns(of: line) <= size.columns, "\(line)") }
        }
    }

    @Test("A terminal map in color has the same characters as one without color") func colorOnly() {
        // So low that there is no legend, which explains colors only if there are any.
        let plain = TerminalMap(columns: 80, rows: 15, usesColor: false, usesUnicode: true).lines(content(tonga))
        let colored = TerminalMap(columns: 80, rows: 15, usesColor: true, usesUnicode: true).lines(content(tonga))
        #expect(colored.map { $0.replacing(/\u{1B}\[[0-9;]*m/, with: "") } == plain)
        #expect(colored.contains { $0.contains("\u{1B}[38;5;") })
        #expect(!plain.joined().contains("\u{1B}"))
    }

    @Test("A terminal map without Unicode contains only ASCII") func asciiOnly() {
        var asked = content(hostilePlaces.enumerated().map { quake("\($0)", 5, latitude: 1, longitude: 1, place: $1) })
        asked.selectedID = "us8"
        let lines = TerminalMap(columns: 100, rows: 30, usesColor: true, usesUnicode: false).lines(asked)
        #expect(lines.joined().unicodeScalars.allSatisfy { $0.isASCII })
    }

    @Test("A terminal map marks the selected quake with ◎ and describes the quake on another line") func selectedQuake()
        throws
    {
        let lines = TerminalMap(columns: 80, rows: 24, usesColor: false, usesUnicode: true)
            .lines(content(tonga, selected: "USA"))
        let marked = try #require(lines.first { $0.contains("│") && $0.contains("◎") })
        #expect(marked.contains("M 7.1"))
        #expect(lines.contains { $0.hasPrefix("selected: ◎ M 7.1, Somewhere, 33 km deep") && $0.contains("usa") })
    }

    @Test("With little room, a terminal map omits the depth of the described quake rather than cutting its place")
    func littleRoom() {
        let far = quake("far", 7.1, latitude: -20, longitude: -175, depth: 33, place: "58 km WSW of Hachinohe, Japan")
        let lines = { (columns: Int) in
            TerminalMap(columns: columns, rows: 24, usesColor: false, usesUnicode: true).lines(content([far]))
        }
        let start = "largest: ◆ M 7.1, 58 km WSW of Hachinohe, Japan, "
        #expect(lines(100).contains { $0.hasPrefix(start + "33 km deep, ") })
        #expect(lines(80).contains { $0.hasPrefix(start + "20") })
    }

    @Test("A terminal map draws larger quakes on top of smaller ones") func largerOnTop() {
        let big = quake("big", 7.5, latitude: 10, longitude: 10)
        let small = quake("small", 1, latitude: 10, longitude: 10)
        // Without a title and a legend, so that every symbol is a quake.
        let map = TerminalMap(columns: 80, rows: 12, usesColor: false, usesUnicode: true)
        let symbols = { (quakes: [Quake]) in map.bareLines(content(quakes)).joined().filter { "·•○●◆".contains($0) } }
        #expect(symbols([small]) == "·" && symbols([big]) == "◆")
        #expect(symbols([big, small]) == "◆" && symbols([small, big]) == "◆")
    }

    @Test("The map around a single quake spans about 300 km and marks the quake") func singleQuake() {
        let map = TerminalMap(columns: 80, rows: 14, usesColor: false, usesUnicode: true)
        // About 300 km from north to south, with the towns in that area.
        let nearOsaka = MapContent(surroundingsOf: quake("osaka", 5, latitude: 34, longitude: 136.2))
        #expect((2.6...3.2).contains(nearOsaka.bounds.north - nearOsaka.bounds.south))
        #expect(map.bareLines(nearOsaka).joined().contains("▫Osaka"))
        for quake in tonga + [quake("pole", 5, latitude: 89.5, longitude: 180)] {
            let lines = map.bareLines(MapContent(surroundingsOf: quake))
            #expect((10...14).contains(lines.count), "\(lines.joined(separator: "\n"))")
            #expect(lines.first?.contains("┌") == true && lines.last?.contains("┘") == true)
            #expect(lines.contains { $0.contains("◎") })
        }
    }

    @Test("A terminal map without quakes says \"no quakes match\"") func noQuakes() {
        let lines = TerminalMap(columns: 80, rows: 24, usesColor: false, usesUnicode: true).lines(content([]))
        #expect(lines[0].hasSuffix("no quakes match"))
    }

    @Test("A map without quakes shows each sentence that explains why on its own line") func sentencesIfEmpty() {
        var empty = content([])
        empty.sentencesIfEmpty = [
            "No quakes match.", "Without <M 9+>, the largest is M 6 - \u{1B}St. Lucia.",
        ]
        let lines = TerminalMap(columns: 40, rows: 24, usesColor: false, usesUnicode: false).lines(empty)
        #expect(lines.count <= 24 && lines.contains("No quakes match."))
        #expect(lines.contains { $0.hasPrefix("Without <M 9+>, the largest is M") && $0.hasSuffix("~") })
        for document in [SVGMap().document(empty), String(decoding: HTMLMap().document(empty), as: UTF8.self)] {
            #expect(document.contains("Without &lt;M 9+&gt;, the") && document.contains("St. Lucia."))
            #expect(!document.contains("\u{1B}"))
        }
    }

    @Test("A terminal map contains no control characters from a quake's place") func hostileText() {
        for (number, place) in hostilePlaces.enumerated() {
            var asked = content(
                [quake("x\(number)", 5, latitude: 1, longitude: 1, place: place)], selected: "usx\(number)")
            asked.title = place
            let text = TerminalMap(columns: 100, rows: 30, usesColor: false, usesUnicode: true).lines(asked).joined()
            #expect(!text.unicodeScalars.contains(where: TerminalText.isUnsafe))
        }
    }
}

@Suite("SVG maps") struct SVGMapTests {
    @Test("An SVG map is well-formed XML, whatever text a place contains") func wellFormed() throws {
        for place in hostilePlaces {
            var asked = content([quake("a", 6, latitude: 1, longitude: 1, place: place)] + tonga, selected: "usa")
            asked.title = place
            let document = try MarkupElement(of: SVGMap().document(asked))
            #expect(document.all("script").isEmpty && document.all("img").isEmpty)
        }
    }

    @Test("An SVG map has a circle for each quake and credits the sources of its coastlines") func circlesAndSources() {
        let document = SVGMap().document(content(tonga))
        // Four quakes; four circles belong to the legend.
        let cities = document.ranges(of: "r=\"2\" fill=\"#2b3238\"").count
        #expect(document.ranges(of: "<circle").count == 8 + cities && cities > 0)
        #expect(document.contains("Natural Earth (public domain)") && document.contains("P. Bird 2003"))
        #expect(document.contains("M 4.5+ · past week") && document.contains("as of 2025-05-04 13:53 UTC"))
        #expect(SVGMap().document(content([])).contains("No quakes match."))
    }

    @Test("SVG and terminal maps show the period in the title and label the largest quake") func periodAndLargest() {
        var dated = content([tonga[1], tonga[0]])
        #expect(dated.pageTitle == "M 4.5+ · past week")
        dated.period = "May 4, 2025"
        #expect(dated.pageTitle == "M 4.5+ earthquakes · past week, May 4, 2025")
        let svg = SVGMap().document(dated)
        #expect(svg.contains(">M 4.5+ · past week · May 4, 2025</text>") && svg.contains(">M 7.1 Somewhere</text>"))
        let terminal = TerminalMap(columns: 100, rows: 30, usesColor: false, usesUnicode: true)
        let lines = terminal.lines(dated)
        #expect(lines[0].hasPrefix("M 4.5+ · past week · May 4, 2025 "))
        #expect(lines.contains { $0.hasPrefix("largest: ◆ M 7.1, Somewhere, 33 km deep") })
    }
}

@Suite("The location in a map's title") struct WhereaboutsTests {
    @Test(
        "A map's title describes a bounding box by the place at its center, as in \"around Japan\"",
        arguments: [
            ((128.0, 30.0, 148.0, 46.0), "around Japan"), ((-125, 32, -114, 42), "around California"),
            ((165, -50, -175, -30), "around New Zealand"), ((-150, 15, -140, 20), "near Hilo, Hawaii"),
        ])
    func boundingBoxName(box: (Double, Double, Double, Double), words: String) throws {
        let box = try BoundingBox(west: box.0, south: box.1, east: box.2, north: box.3)
        #expect(MapContent.Scope.box(box).whereabouts == words)
    }

    @Test("A map's title describes a circle by a nearby city, as in \"near Tokyo, Japan\"") func circleName() throws {
        let tokyo = GeographicPoint(latitude: 35.7, longitude: 139.7)
        #expect(MapContent.Scope.circle(center: tokyo, radiusKilometers: 50).whereabouts == "near Tokyo, Japan")
        #expect(try MapContent.Scope.box(BoundingBox(west: -180, south: -10, east: 180, north: 10)).whereabouts == nil)
    }
}

@Suite("HTML maps") struct HTMLMapTests {
    @Test("No text, such as \"</script>\", can end the JSON data in an HTML map") func dataBlock() throws {
        let quakes = hostilePlaces.enumerated().map { index, text in
            var quake = quake("\(index)", 5, latitude: 1, longitude: 1, place: text)
            quake.publishedTitle = "A \(text)"
            return quake
        }
        let page = String(decoding: HTMLMap().document(content(quakes)), as: UTF8.self)
        #expect(page.ranges(of: "<script").count == 6)
        #expect(page.ranges(of: "</script>").count == 6)
        #expect(!page.contains("\u{2028}") && !page.contains("\u{202E}") && !page.contains("<img"))
        let start = try #require(page.range(of: "id=\"data\">")).upperBound
        let end = try #require(page.range(of: "</script>", range: start..<page.endIndex)).lowerBound
        let json = try #require(JSONSerialization.jsonObject(with: Data(page[start..<end].utf8)) as? [String: Any])
        let parts = try #require(json["parts"] as? [String])
        let starts = try #require(json["start"] as? [Int])
        let names = try #require(json["name"] as? [Int])
        #expect(zip(starts, names).map { parts[$0] + parts[$1] } == hostilePlaces.map(TerminalText.sanitized))
    }

    @Test("An HTML map has no unfilled placeholder and loads no external resource") func selfContained() {
        let page = String(decoding: HTMLMap().document(content(tonga)), as: UTF8.self)
        #expect(page.ranges(of: /\{\{[a-z]+\}\}/).isEmpty)
        #expect(!page.contains(" src=") && !page.contains("@import"))
        #expect(!page.replacing("url(#", with: "").contains("url("))
        #expect(page.contains("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "))
    }

    @Test("An HTML map rounds the numbers in its table, but not in its JSON data") func roundedAndFullNumbers() {
        let page = String(
            decoding: HTMLMap().document(content([quake("a", 1.5, latitude: 1, longitude: 1, depth: 1.1100000143051)])),
            as: UTF8.self)
        #expect(page.contains("<td>1.1<td>") && page.contains("\"depth\":[1.1100000143051]"))
    }

    @Test("An HTML map stores a text that several quakes have in common, such as a town, only once") func sharedTexts()
    {
        var quakes = (0..<3).map { quake("q\($0)", 2, latitude: 1, longitude: 1) }
        for (index, place) in ["5 km S of Goldfield, Nevada", "8 km N of Goldfield, Nevada", nil].enumerated() {
            quakes[index].place = place
            quakes[index].magnitudeType = "ml"
            quakes[index].status = index == 1 ? "reviewed" : "automatic"
        }
        let page = String(decoding: HTMLMap().document(content(quakes)), as: UTF8.self)
        #expect(page.contains("\"start\":[0,2,0],\"name\":[1,1,null]"))
        #expect(page.contains("\"parts\":[\"5 km S of \",\"Goldfield, Nevada\",\"8 km N of \"]"))
        #expect(page.contains("\"kind\":[0,1,0],\"kinds\":["))
    }

    @Test("An HTML map names the nearest city for both the old and the revised location of a quake") func nearestCity()
    {
        // Off Panama, where the maps' place names include David but not Pedregal.
        let moved = quake("a", 6.7, latitude: 7.4212, longitude: -82.5158)
        var shown = content([moved, quake("b", 1, latitude: 35.752, longitude: -117.476)])
        let change = MapContent.Revision.Change(property: .lon, before: .real(-80), after: .real(-82.5158))
        shown.revisions[moved.id] = [
            MapContent.Revision(recorded: moved.updated, published: nil, reason: .revised, changes: [change])
        ]
        let names = [(7.4212, -82.5158), (7.4212, -80), (35.752, -117.476)].map { latitude, longitude in
            NearestCity().city(to: GeographicPoint(latitude: latitude, longitude: longitude))
        }
        let page = String(decoding: HTMLMap().document(shown), as: UTF8.self)
        #expect(names[0]?.description == "Pedregal, Panama" && names[0] != names[1])
        // The history, which comes first, uses the city after the move, then the one before it.
        #expect(page.contains("\"city\":[0,2],\"cities\":[[\"Pedregal, Panama\","))
        #expect(page.contains("[\"\(names[1]?.description ?? "")\","))
        #expect(page.contains("[\"Ridgecrest, California\","))
        #expect(page.contains(/,-80,-82\.5158\],\[\d+,1,0\]\]/))
    }

    @Test("HTML, SVG and terminal maps show the type of an event that is not an earthquake") func otherEventTypes() {
        var blast = quake("a", 3.9, latitude: 30, longitude: -79, place: "Florida")
        blast.eventType = "experimental explosion"
        let told = "Experimental Explosion - Florida"
        #expect(String(decoding: HTMLMap().document(content([blast])), as: UTF8.self).contains("<td>\(told)<td>"))
        #expect(SVGMap().document(content([blast], selected: "usa")).contains("M 3.9 \(told)<"))
        let terminal = TerminalMap(columns: 120, rows: 40, usesColor: false, usesUnicode: false)
        #expect(terminal.lines(content([blast], selected: "usa")).contains { $0.contains("M 3.9, \(told), ") })
        blast.eventType = "earthquake"
        #expect(String(decoding: HTMLMap().document(content([blast])), as: UTF8.self).contains("<td>Florida<td>"))
    }

    @Test("An HTML map lists the regions of current and former places, such as California for CA")
    func regionsOfPlaces() {
        var quakes = ["4km NW of The Geysers, CA", "X, California", "California-Nevada border region", nil].enumerated()
            .map { quake("q\($0)", 2, latitude: 1, longitude: 1, place: $1) }
        quakes[3].place = "Sea,"
        var shown = content(quakes)
        let change = MapContent.Revision.Change(
            property: .place, before: .text("Central Alaska"), after: .text("X, California"))
        shown.revisions[quakes[1].id] = [
            MapContent.Revision(recorded: quakes[1].updated, published: nil, reason: .revised, changes: [change])
        ]
        let page = String(decoding: HTMLMap().document(shown), as: UTF8.self)
        let regions = #"{"CA":"California","California-Nevada border region":"California, Nevada","#
        #expect(page.contains("\"regions\":\(regions)\"Central Alaska\":\"Alaska\"}"))
    }

    @Test("An HTML map contains its script without comments and needless spaces") func minifiedScript() {
        let script = """
            // One line, with a "quote.
            /** Several lines. @param {number} a */
            function half(a) {

              /** @type {number} */
              const b = a / 2 - -1; // behind /code/
              /** @type {any} */ (globalThis).half = b + +a;
              const text = `two  spaces ${ b ? `{ // ${"}"}` : 'a  "b' } /* kept */`;
              return b
                * text.replace(/["'`/ ]  \\/ x/g, "  ") || typeof a === "it's  \\" so"
            }
            half(1)
            half( 2 )
            """
        let minified = Array(script.utf8).withUnsafeBufferPointer(Minifier.minified(script:))
        let expected = """
            function half(a){const b=a/2- -1;(globalThis).half=b+ +a;\
            const text=`two  spaces ${ b ? `{ // ${"}"}` : 'a  "b' } /* kept */`;return b
            *text.replace(/["'`/ ]  \\/ x/g,"  ")||typeof a==="it's  \\" so"}
            half(1)
            half(2)

            """
        #expect(String(decoding: minified, as: UTF8.self) == expected)
    }

    @Test("An HTML map contains its style sheet without comments and needless spaces") func minifiedStyle() {
        let style = """
            /* A comment. */
            .a > b :hover, [c="d  e"] {
              width: calc(100% - 2px + 1em);
              content: "▾" / "";
            }

            @media (max-width: 9px) and (orientation: portrait) { i { margin: 0 auto; } }
            """
        let minified = Array(style.utf8).withUnsafeBufferPointer(Minifier.minified(style:))
        let expected = """
            .a>b :hover,[c="d  e"]{width:calc(100% - 2px + 1em);content:"▾" / ""}\
            @media (max-width:9px) and (orientation:portrait){i{margin:0 auto}}

            """
        #expect(String(decoding: minified, as: UTF8.self) == expected)
    }

    @Test("An HTML map contains the revision history of a quake") func revisionHistory() {
        var asked = content(tonga)
        asked.revisions["usb"] = [
            .init(
                recorded: Timestamp(milliseconds: 1_746_366_790_000), reason: .revised,
                changes: [.init(property: .mag, before: .real(4.5), after: .real(4.6))])
        ]
        let page = String(decoding: HTMLMap().document(asked), as: UTF8.self)
        #expect(page.contains("id=\"history\">{\"1\":[[10000,"))
        #expect(page.contains(",4.5,4.6]"))
    }

    @Test("An HTML map's content security policy has the hashes of its style sheet and script")
    func contentSecurityPolicy() async throws {
        let (style, script) = (quakeMapPageCSS(), quakeMapPageJS())
        for (name, code, hash) in [
            (
                "styleHash", Minifier.minified(style: UnsafeBufferPointer(start: style.bytes, count: style.count)),
                HTMLMap.styleHash
            ),
            (
                "scriptHash", Minifier.minified(script: UnsafeBufferPointer(start: script.bytes, count: script.count)),
                HTMLMap.scriptHash
            ),
        ] {
            let sum = try await ProcessRunner(path: "/usr/bin/sha256sum").run(input: Data(code)).output
            let digest = stride(from: 0, to: 64, by: 2).compactMap { UInt8(sum.dropFirst($0).prefix(2), radix: 16) }
            let expected = Data(digest).base64EncodedString()
            #expect(hash == expected, "HTMLMap.swift: static let \(name) = \"\(expected)\"")
        }
        let page = String(decoding: HTMLMap().document(content(tonga)), as: UTF8.self)
        #expect(page.contains("style-src 'sha256-\(HTMLMap.styleHash)'; script-src 'sha256-\(HTMLMap.scriptHash)'"))
    }
}

@Suite("Replay of a map") struct ReplayDataTests {
    @Test("The data of an HTML map lists deleted quakes last and says when the replay shows them") func goneQuakes() {
        var asked = content(tonga)
        let recorded = Timestamp(milliseconds: 1_746_366_790_000)
        var arrival = MapContent.Revision(recorded: recorded, reason: .new, changes: [])
        var deletion = MapContent.Revision(recorded: recorded + .seconds(60), reason: .retracted, changes: [])
        (deletion.wasShown, deletion.isShown) = (true, false)
        asked.revisions["usa"] = [arrival]
        arrival.published = recorded - .seconds(5)
        asked.replay = MapContent.Replay(
            recordedStart: recorded, publishedStart: nil,
            departed: [(quake("gone", 4, latitude: 0, longitude: 0), [arrival, deletion])])
        let page = String(decoding: HTMLMap().document(asked), as: UTF8.self)
        #expect(page.contains("\"count\":5,\"present\":4"))
        #expect(page.contains("\"shown\":{\"4\":\"010\"}"))
        #expect(page.contains("\"recorded\":1746366790000,\"published\":null"))
    }
}

@Suite("Color scales") struct ColorScaleTests {
    private let nuku = GeographicPoint(latitude: -21.1, longitude: -175.2)

    private func map(_ quakes: [Quake], by coloring: MapColoring, unit: String = "km") -> MapContent {
        var asked = content(quakes)
        asked.intensitySites = [MapContent.NamedPlace(point: nuku, name: "</script>Nukuʻalofa")]
        asked.chosenColoring = coloring
        asked.unit = unit
        return asked
    }

    @Test("A map colors a quake by the intensity estimated at the given place") func classOfIntensity() {
        // At the place itself, and 30 km below it.
        let near = quake("e", 3.5, latitude: nuku.latitude, longitude: nuku.longitude, depth: 30)
        let labels = map([tonga[0], tonga[1], near, tonga[3]], by: .intensity).colorClasses().map(\.label)
        #expect(labels == ["V", "I", "II–III", "unknown"])
        // The classes have the same limits as the words.
        for case .from(let limit) in MapColoring.intensity.scale.classes.dropFirst().map(\.values) {
            #expect(IntensityLevel(nearestTo: limit) > IntensityLevel(nearestTo: limit - 0.001))
        }
    }

    @Test("A depth of exactly 10 km has the color of unknown depths") func fixedDepth() {
        let depths = [9.99, 10, 10.01, nil, -1, 700].map { depth in
            quake("f", 5, latitude: 0, longitude: 0, depth: depth)
        }
        let labels = map(depths, by: .depth).colorClasses().map(\.label)
        #expect(labels == ["<10", "fixed or unknown", "10–35", "fixed or unknown", "<10", "≥500"])
    }

    @Test("A legend has only the classes that occur, in the unit of the map") func legendOfOccurringClasses() {
        let depths = [5.0, 20, 600].map { quake("f", 5, latitude: 0, longitude: 0, depth: $0) }
        #expect(map(depths, by: .depth).legend().map(\.label) == ["<10", "10–35", "≥500"])
        let miles = map(depths, by: .depth, unit: "mi")
        #expect(miles.legend().map(\.label) == ["<6", "6–22", "≥311"])
        #expect(miles.legendTitle(of: .depth) == "Depth (mi)")
    }

    @Test("Magnitude types have a color by their first letters") func magnitudeTypes() {
        let types = ["mww", "Ml", "mb_lg", "h", nil].map { type in
            var made = quake("t", 5, latitude: 0, longitude: 0)
            made.magnitudeType = type
            return made
        }
        #expect(map(types, by: .magtype).colorClasses().map(\.label) == ["Mw", "ML", "mb", "other", "other"])
    }

    @Test("A map of the past month is colored by age unless told otherwise, any other map by depth") func usualColors()
    {
        var asked = content(tonga)
        let newest = tonga.map(\.originTime).max() ?? asked.asOf
        for (days, coloring) in [(1, MapColoring.age), (6, .age), (8, .depth)] {
            asked.asOf = newest + .seconds(days * 86_400)
            #expect(asked.coloring == coloring)
        }
        asked.asOf = newest + .seconds(60)
        #expect(asked.colorClasses().contains { $0.label == "<1 hour" })
        asked.chosenColoring = .depth
        #expect(asked.coloring == .depth)
        #expect(content([]).coloring == .depth)
    }

    @Test("HTML, SVG and terminal maps can color quakes by estimated intensity") func everyFormat() {
        let svg = SVGMap().document(map(tonga, by: .intensity))
        #expect(svg.contains("Estimated intensity") && svg.contains(">V</text>") && !svg.contains("Depth (km)"))
        // One in the legend, one for the quake of M 7.1.
        #expect(svg.matches(of: /fill="#7aff93"/).count == 2)
        let terminal = TerminalMap(columns: 80, rows: 24, usesColor: true, usesUnicode: true)
        let lines = terminal.lines(map(tonga, by: .intensity))
        #expect(lines.contains { $0.hasPrefix("Estimated intensity ") })
        #expect(lines.contains { $0.contains("│") && $0.contains("38;5;41;1m") })
        let page = String(decoding: HTMLMap().document(map(tonga, by: .intensity)), as: UTF8.self)
        #expect(page.contains("\"color\":\"intensity\"") && page.contains("\"of\":\"intensity\""))
        // Nothing in the name can end the block.
        #expect(page.contains("\"sites\":[[-21.1,-175.2,\"") && !page.contains("</script>Nuku"))
    }

    @Test("A map set to color by intensity is colored as usual if no place is given") func usualWithoutSites() {
        var asked = content(tonga)
        asked.chosenColoring = .intensity
        #expect(SVGMap().document(asked) == SVGMap().document(content(tonga)))
        #expect(!String(decoding: HTMLMap().document(asked), as: UTF8.self).contains("\"sites\":"))
    }
}

/// Colors as a reader sees them: relative luminance and contrast from WCAG 2, and the matrices of Machado, Oliveira and
/// Fernandes (2009) for readers who lack one of the three kinds of cones.
private struct SeenColor {
    var linear: [Double]

    init(_ text: String) {
        let value = Int(text.dropFirst(), radix: 16) ?? 0
        linear = [16, 8, 0].map { shift in
            let part = Double(value >> shift & 255) / 255
            return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
        }
    }

    var luminance: Double { 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] }

    /// Lightness in CIELAB, 0 to 100.
    var lightness: Double { luminance > 0.008856 ? 116 * cbrt(luminance) - 16 : 903.3 * luminance }

    func contrast(to other: SeenColor) -> Double {
        (max(luminance, other.luminance) + 0.05) / (min(luminance, other.luminance) + 0.05)
    }

    func seen(through matrix: [[Double]]) -> SeenColor {
        var result = self
        result.linear = matrix.map { row in min(max(zip(row, linear).reduce(0) { $0 + $1.0 * $1.1 }, 0), 1) }
        return result
    }
}

@Suite("Legibility of map colors") struct MapColorTests {
    /// The colors of land and sea in the page's style sheet, in light and dark mode.
    private func grounds() throws -> (light: [SeenColor], dark: [SeenColor]) {
        let file = quakeMapPageCSS()
        let css = String(decoding: UnsafeBufferPointer(start: file.bytes, count: file.count), as: UTF8.self)
        let colors = css.matches(of: /--(?:sea|land): (#[0-9a-f]{6});/).map { SeenColor(String($0.output.1)) }
        try #require(colors.count >= 4)
        return (Array(colors[0..<2]), Array(colors[2..<4]))
    }

    @Test("Each quake color or its outline on a map has a contrast of at least 3:1 with land and sea") func contrast()
        throws
    {
        let grounds = try grounds()
        for coloring in MapColoring.allCases {
            for one in coloring.scale.classes {
                for ground in grounds.light {
                    #expect(SeenColor(one.rim).contrast(to: ground) >= 3, "\(coloring) \(one)")
                }
                for ground in grounds.dark {
                    #expect(SeenColor(one.dark).contrast(to: ground) >= 3, "\(coloring) \(one)")
                }
            }
        }
        #expect(grounds.light.map(\.luminance) == [SVGMap.sea, SVGMap.land].map { SeenColor($0).luminance })
    }

    @Test("The color classes of a map differ in lightness, even for colorblind readers") func orderIsVisible() {
        let views: [[[Double]]] = [
            [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
            [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
            [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
            [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
        ]
        for view in views {
            let lightness = { (colors: [String]) in colors.map { SeenColor($0).seen(through: view).lightness } }
            for coloring in [MapColoring.depth, .age] {
                // Gray is apart from the order. The scale of intensities is ShakeMap's, which readers know.
                let classes = coloring.scale.classes.filter { $0.values != .exactly(10) }
                // On a light background, recent quakes are darker; otherwise the first class is the brightest.
                let light = lightness(classes.map(\.light))
                let steps = coloring == .age ? light.reversed() : light
                for (one, next) in zip(steps, steps.dropFirst()) { #expect(one - next >= 3.5, "\(light)") }
                let dark = lightness(classes.map(\.dark))
                for (one, next) in zip(dark, dark.dropFirst()) { #expect(one - next >= 3.5, "\(dark)") }
            }
        }
    }
}

@Suite("Place names on maps") struct PlacesTests {
    @Test("The list of cities for maps has the largest first, starting with Shanghai") func largestCitiesFirst() throws
    {
        let places = Places()
        #expect(places.cities.count > 5000 && places.regions.count > 250)
        #expect(places.cities[0].name == "Shanghai" && places.cities.map(\.rank) == places.cities.map(\.rank).sorted())
        let anchorage = try #require(places.cities.first { $0.name == "Anchorage" })
        #expect(places.regions[anchorage.region].name == "Alaska" && places.regions[anchorage.region].isState)
        #expect(anchorage.point.distanceKilometers(to: GeographicPoint(latitude: 61.218, longitude: -149.9)) < 5)
    }

    @Test("No two place names overlap on a map") func noOverlap() {
        let bounds = MapBounds(around: GeographicPoint(latitude: 34, longitude: -118), radiusKilometers: 200)
        let window = MapWindow(bounds, width: 1000, height: 600)
        let labels = MapLabels(content([]), window, factor: 1, keepingClear: []).labels
        #expect(labels.contains { $0.text == "Los Angeles" })
        for (number, one) in labels.enumerated() {
            for other in labels[(number + 1)...] where abs(one.y - other.y) < 8 {
                let (left, right) = one.x < other.x ? (one, other) : (other, one)
                #expect(left.x + Double(left.text.count) * 6 <= right.x, "\(left) \(right)")
            }
        }
    }

    @Test("A map names the countries with quakes and its three largest quakes, without covering quakes")
    func namesWhereQuakesAre() {
        // A swarm in Japan, with a large quake and an aftershock, and others.
        var quakes = (0..<40).map { number in
            let (row, column) = (Double(number / 8), Double(number % 8))
            return quake(
                "j\(number)", 5, latitude: 33 + row, longitude: 135 + column, place: "9 km N of Sendai, Japan")
        }
        quakes += [
            quake("big", 7.5, latitude: 37.5, longitude: 137.3, place: "42 km NE of Anamizu, Japan"),
            quake("after", 7.2, latitude: 37.4, longitude: 137.2, place: "40 km NE of Anamizu, Japan"),
            quake("chile", 6.9, latitude: -24, longitude: -70, place: "2024 Taltal, Chile Earthquake"),
            quake("quarry", 6.8, latitude: 40, longitude: 20, place: "4km E of Vlore, Albania"),
        ]
        quakes[quakes.count - 1].eventType = "quarry blast"
        let shown = content(quakes)
        let window = MapWindow(shown.bounds, width: 1120, height: 590)
        let labels = MapLabels(shown, window, factor: 1, keepingClear: []).labels
        #expect(
            labels.filter { $0.kind == .quake }.map(\.text) == [
                "M 7.5 Anamizu, Japan", "M 6.9 Taltal, Chile", "M 6.8 Quarry Blast - Vlore, Albania",
            ])
        #expect(Set(["Japan", "Chile"]).isSubset(of: labels.map(\.text)))
        for label in labels {
            let width = Double(label.text.count) * 6
            for (x, y) in quakes.map({ window.position(of: $0.epicenter) }) {
                #expect(x < label.x || x > label.x + width || abs(y - label.y) > 4, "\(label)")
            }
        }
    }

    /// Quakes of one magnitude, `step` degrees apart, in rows of 40.
    private func swarm(_ count: Int, magnitude: Double, from southwest: GeographicPoint, step: Double) -> [Quake] {
        (0..<count).map { number in
            quake(
                "s\(number)", magnitude, latitude: southwest.latitude + step * Double(number / 40),
                longitude: southwest.longitude + step * Double(number % 40), place: "9 km N of Lae, Papua New Guinea")
        }
    }

    @Test("The name of a country on a map is at the country or left out") func namesAtCountries() {
        let southwest = GeographicPoint(latitude: -14, longitude: 130)
        let world = content(swarm(800, magnitude: 4, from: southwest, step: 0.7) + tonga)
        for width in [400.0, 1120] {
            let window = MapWindow(.world, width: width, height: width / 2)
            let labels = MapLabels(world, window, factor: 1, keepingClear: []).labels.filter { $0.kind == .region }
            #expect(!labels.isEmpty)
            for label in labels {
                let away = Places().regions.filter { $0.name == label.text }.map { region in
                    let (x, y) = window.position(of: region.point)
                    let right = label.x + 9.2 * Double(label.text.count) + 2
                    return max(label.x - 2 - x, x - right, abs(y - label.y) - 9)
                }
                #expect(away.contains { $0 <= min(20, 6 * window.unitsPerDegree) + 0.1 }, "\(label) \(away)")
            }
        }
    }

    @Test("A map labels its three largest quakes, with a shorter text where there is less room") func shorterTexts() {
        let atacama = "9 km N of San Pedro de Atacama, Chile"
        var quakes = [
            quake("a", 7.4, latitude: -23, longitude: -69, place: atacama),
            quake("b", 7.3, latitude: 20, longitude: -170, place: "9 km N of Honolulu, Hawaii"),
            quake("c", 7.2, latitude: 0, longitude: 0, place: "9 km N of Lae, Papua New Guinea"),
            quake("d", 7.1, latitude: -40, longitude: 80, place: "Indian Ocean"),
        ]
        func texts() -> [String] {
            let window = MapWindow(.world, width: 1120, height: 560)
            let labels = MapLabels(content(quakes), window, factor: 1, keepingClear: []).labels
            return labels.filter { $0.kind == .quake }.map(\.text)
        }
        #expect(
            texts() == ["M 7.4 San Pedro de Atacama, Chile", "M 7.3 Honolulu, Hawaii", "M 7.2 Lae, Papua New Guinea"])
        quakes += swarm(1600, magnitude: 3, from: GeographicPoint(latitude: -20, longitude: -20), step: 1)
        #expect(texts().last == "M 7.2")
    }

    @Test("A map names the largest cities even among quakes") func largestCitiesAmongQuakes() {
        let bay = GeographicPoint(latitude: 37.8, longitude: -122.3)
        let window = MapWindow(MapBounds(around: bay, radiusKilometers: 80), width: 1120, height: 590)
        let corner = GeographicPoint(latitude: 37.5, longitude: -122.8)
        let shown = content(swarm(1200, magnitude: 2, from: corner, step: 0.025))
        let labels = MapLabels(shown, window, factor: 1, keepingClear: []).labels
        #expect(Set(["San Jose", "San Francisco"]).isSubset(of: labels.map(\.text)))
    }

    @Test("A map names the selected quake in full") func selectedQuakeInFull() {
        let shown = content([quake("a", 4, latitude: 1, longitude: 1, place: "9 km N of X")] + tonga, selected: "usa")
        #expect(SVGMap().document(shown).contains(">M 4.0 9 km N of X</text>"))
    }
}

@Suite("Quakes over time") struct QuakeRateTests {
    @Test("The histogram on a map counts each quake once, in at most 50 bars") func countsEachQuakeOnce() throws {
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
