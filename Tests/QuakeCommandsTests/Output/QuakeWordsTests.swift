import QuakeModel
import QuakeTestSupport
import Testing

@testable import QuakeCommands

@Suite("show in words", .scratch) struct QuakeWordsTests {
    private func text(_ change: (inout Quake) -> Void, style: OutputStyle = OutputStyle()) -> [String] {
        var quake = Quake(sample: "us7000abcd")
        change(&quake)
        var style = style
        style.now = .sample + .seconds(180)
        let words = QuakeWords(quake, style)
        return [words.typeAndID, words.strength, words.place, words.time, words.certainty]
            + words.effects.map { "\($0.name): \($0.text)" }
    }

    @Test("quakes show prints event, magnitude, place, time and review status, then the effects") func allLines() {
        let lines = text { quake in
            quake.magnitude = 6.24
            quake.magnitudeType = "mww"
            quake.hypocenter = Hypocenter(longitude: -71.4, latitude: -33.1234, depthKilometers: 44.18)
            quake.eventType = "earthquake"
            quake.status = "reviewed"
            quake.stationCount = 1121
            quake.nearestStationDegrees = 0.5
            quake.updated = .sample
            quake.feltReports = 1234
            quake.communityIntensity = 4.6
            quake.instrumentalIntensity = 6.2
            quake.alert = "yellow"
            quake.tsunami = true
        }
        #expect(
            lines == [
                "earthquake us7000abcd", "M 6.2 (mww)",
                "5 km S of Pāhola, 44.2 km deep, at 33.123°S 71.4°W",
                "\(Timestamp.sample.momentWords), 3 min ago",
                "reviewed by an analyst; 1,121 stations, the nearest 56 km away; last changed "
                    + "\(Timestamp.sample.momentWords), 3 min ago",
                "ShakeMap: max MMI VI (strong)",
                "reports: 1,234 felt reports, max CDI V (moderate)",
                "alert: yellow (PAGER)", "tsunami: flag set: check tsunami.gov",
                "page: https://earthquake.usgs.gov/earthquakes/eventpage/us7000abcd",
            ])
    }

    @Test("quakes show prints \"M ?\" for an unknown magnitude and omits an unknown place") func missingValues() {
        let lines = text { quake in
            (quake.magnitude, quake.place, quake.eventType, quake.status) = (nil, nil, nil, nil)
            quake.magnitudeType = nil
            quake.hypocenter = Hypocenter(longitude: 0, latitude: 0, depthKilometers: -1.25)
            (quake.stationCount, quake.nearestStationDegrees) = (nil, nil)
        }
        #expect(lines[0] == "event us7000abcd" && lines[1] == "M ?")
        #expect(lines[2] == "1.3 km above sea level, at 0°N 0°E")
        #expect(lines[4].hasPrefix("review unknown; last changed ") && lines.count == 6)
        let near = text { quake in (quake.stationCount, quake.nearestStationDegrees) = (nil, 0.5) }
        #expect(near[4].contains("; nearest station 56 km away; last changed "))
    }

    @Test("quakes show prints the nearest city and the estimated intensity at home") func estimatedIntensity() {
        var style = OutputStyle()
        let epicenter = GeographicPoint(latitude: 35.752, longitude: -117.476)
        style.display = DisplayStyle(sites: [Site(point: epicenter, origin: .home)])
        let hypocenter = Hypocenter(longitude: -117.476, latitude: 35.752, depthKilometers: 10)
        var quake = Quake(sample: "us7000abcd", at: hypocenter, magnitude: 4.5)
        let words = QuakeWords(quake, style)
        #expect(words.nearest == "Ridgecrest, California; the quake is 23 km NE of it")
        #expect(
            words.effects.first?.name == "intensity"
                && words.effects.first?.text == "V (moderate) at home (estimated, 5.3 ± 1.1)")
        quake.magnitude = nil
        #expect(QuakeWords(quake, style).effects.first?.name != "intensity")
        #expect(!QuakeWords(quake, OutputStyle()).effects.contains { $0.name == "intensity" })
    }

    @Test("quakes show prints an intensity below the scale as I, and one above it as X") func intensityScale() {
        for (value, word) in [
            (-1.0, "I (not felt)"), (0.4, "I (not felt)"), (3.5, "IV (light)"), (9.6, "X (extreme)"),
            (12, "X (extreme)"),
        ] {
            #expect(text { $0.instrumentalIntensity = value }.contains("ShakeMap: max MMI \(word)"))
        }
    }

    @Test("quakes show -v prints fields that are omitted by default, such as lat and net") func verbose() throws {
        let cache = try MappedCache.ofTest()
        let plain = try cache.run("show", MappedCache.renamed).output
        let all = try cache.run("show", "-v", MappedCache.renamed).output
        #expect(
            !plain.contains("\n  lat ") && all.contains("\n  lat         35°\n") && all.contains("\n  net         us\n")
        )
        #expect(plain.hasPrefix("event         ") && plain.contains("\nother ids     "))
        #expect(!plain.contains("too narrow"))
        let narrow = try cache.run("show", MappedCache.renamed, terminal: (80, 50)).output
        #expect(narrow.contains("\n\u{1B}[2mterminal too narrow for PUBLISHED (UTC)\u{1B}[0m\n"))
    }
}
