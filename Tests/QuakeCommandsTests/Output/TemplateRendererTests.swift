import QuakeModel
import QuakeTestSupport
import Testing

@testable import QuakeCommands

struct TemplateRendererTests {
    private static let now = Timestamp(milliseconds: 1_626_986_384_040 + 8 * 60_000)

    private func text(_ template: String, _ quakes: [Quake] = [.inAlaska()], style: OutputStyle = OutputStyle()) throws
        -> String
    {
        let template = try OutputTemplate.forQuakes(template)
        var style = style
        style.now = Self.now
        return try captured { writer in
            let renderer = TemplateRenderer(template, writer: writer, style: style)
            let rows = quakes.map { quake in renderer.fields.map { style.display.value(of: $0, of: quake) } }
            try renderer.render(rows, to: writer)
        }
    }

    @Test("A template prints one line per quake") func lineForEachQuake() throws {
        let quakes: [Quake] = [.inAlaska(magnitude: 4.35), .inAlaska("b", magnitude: 5, place: "Fox")]
        #expect(
            try text("{mag} {place} ({age})", quakes)
                == "4.4 8 km E of Fox, Alaska (8 min ago)\n5.0 Fox (8 min ago)\n")
        #expect(try text(#"a\n{mag}"#) == "a\n4.5\n")
        #expect(try text("{id}", []).isEmpty)
    }

    @Test("In a template, the placeholder of a missing value prints nothing") func missingValues() throws {
        let names = ["mag", "place", "alert", "felt", "distance", "bearing", "compass", "tz", "extra"]
        let template = names.map { "[{\($0)}]" }.joined()
        #expect(try text(template, [.inAlaska(magnitude: nil, place: nil)]) == String(repeating: "[]", count: 9) + "\n")
        #expect(try text("{headline}|{title}", [.inAlaska(place: nil)]) == "M 4.5|M 4.5 - \n")
    }

    @Test("A template prints control characters in a place name as U+FFFD") func hostileText() throws {
        let quake = Quake.inAlaska(place: "a\u{1B}]0;x\u{7}\nb\u{202E}{id}")
        #expect(try text("{place}", [quake]) == "a\u{FFFD}]0;x\u{FFFD}\u{FFFD}b\u{FFFD}{id}\n")
        #expect(try text("{headline}", [quake]).hasSuffix("b\u{FFFD}{id}\n"))
    }

    @Test("In a template, {depth} and {distance} use the unit selected with --units") func unitsInTemplate() throws {
        var style = OutputStyle()
        style.display = DisplayStyle(
            unit: .mi,
            sites: [Site(point: GeographicPoint(latitude: 64.875, longitude: -146), origin: .home)])
        #expect(
            try text("{time}|{depth}|{distance}|{bearing}|{compass}", style: style)
                == "2021-07-22 20:39:44 UTC|5.2 mi|37 mi|271|W\n")
        #expect(try text("{time}|{depth}|{lat},{lon}") == "2021-07-22 20:39:44 UTC|8.4 km|64.875,-147.25\n")
    }

    @Test("A template prints {ids} without leading and trailing commas, and {ids:json} as an array") func sets() throws
    {
        var quake = Quake.inAlaska()
        quake.ids = PublishedSet(members: ["us1"])
        #expect(try text("{ids:json} {types:json}", [quake]).hasPrefix(#"["us1"] "#))
        quake.ids = PublishedSet(members: ["us1", "ci2"])
        #expect(try text("{ids}", [quake]) == "us1, ci2\n" || text("{ids}", [quake]) == "ci2, us1\n")
    }
}
