import Foundation
import QuakeMap
import QuakeModel

/// Writes maps for the browser tests and for viewing: `write-map-pages FOLDER [FEED.geojson]`.
///
/// Quakes come from the feed, if one is given. Otherwise a fixed series of numbers spreads them over plate boundaries.
/// Every page has history, hostile place names and quakes on both sides of the 180th meridian.
@main
enum WritePages {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 1 else { return print("usage: write-map-pages FOLDER [FEED.geojson]") }
        let folder = URL(fileURLWithPath: arguments[1], isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let quakes =
            arguments.count > 2
            ? try SampleQuakes.read(URL(fileURLWithPath: arguments[2])) : SampleQuakes.made(count: 100_000)
        let ascending = quakes.sorted { $0.originTime < $1.originTime }

        try writeComputed(Array(ascending.suffix(1_000).reversed()), folder)
        for count in [1, 20, 400, 1_000, 4_438, 10_000, 20_000, 100_000] {
            try write(content(Array(ascending.suffix(count).reversed())), "\(count)", folder)
        }
        try write(content([]), "empty", folder)
        var world = content(
            ascending.filter { ($0.magnitude ?? 0) >= 4.5 && (-60...80).contains($0.hypocenter.latitude) }.reversed())
        world.title = "M 4.5+"
        try write(world, "world", folder)
        var hostile = content(SampleQuakes.hostile)
        hostile.title = "</title><script>document.title = 'broken'</script>"
        try write(hostile, "hostile", folder)

        var tonga = content(
            ascending.filter { (-40 ... -10).contains($0.hypocenter.latitude) && abs($0.hypocenter.longitude) > 165 })
        tonga.title = "Tonga, Fiji, Kermadec"
        tonga.selectedID = tonga.quakes.max { ($0.magnitude ?? 0) < ($1.magnitude ?? 0) }?.id
        try write(tonga, "dateline", folder)
        var california = content(
            ascending.filter {
                (32...42).contains($0.hypocenter.latitude) && (-125 ... -114).contains($0.hypocenter.longitude)
            })
        california.title = "California"
        california.selectedID = california.quakes.max { ($0.magnitude ?? 0) < ($1.magnitude ?? 0) }?.id
        california.reloadInterval = 300
        try write(california, "california", folder)
        var japan = content(
            ascending.filter {
                (30...46).contains($0.hypocenter.latitude) && (128...148).contains($0.hypocenter.longitude)
            })
        japan.title = "30–46°N, 128–148°E"
        if let box = try? BoundingBox(west: 128, south: 30, east: 148, north: 46) {
            japan.scope = [.box(box)]
            japan.extent = MapBounds(box)
            japan.title += " (\(MapContent.Scope.box(box).whereabouts ?? ""))"
        }
        try write(japan, "japan", folder)
        let hawaii = GeographicPoint(latitude: 19.42, longitude: -155.29)
        var island = content(ascending.filter { $0.epicenter.distanceKilometers(to: hawaii) <= 100 })
        let circle = MapContent.Scope.circle(center: hawaii, radiusKilometers: 100)
        island.title = "Within 100 km of Kīlauea (\(circle.whereabouts ?? ""))"
        island.scope = [circle]
        island.centers = [MapContent.NamedPlace(point: hawaii, name: "Kīlauea")]
        island.extent = MapBounds(around: hawaii, radiusKilometers: 100)
        island.home = GeographicPoint(latitude: 19.73, longitude: -155.09)
        island.unit = "mi"
        island.timeZone = "Pacific/Honolulu"
        try write(island, "island", folder)
        try write(replayed(content(Array(ascending.suffix(10_000).reversed()))), "replay", folder)
    }

    /// Writes values that the page also computes, so that a test can compare them.
    static func writeComputed(_ quakes: [Quake], _ folder: URL) throws {
        let latitudes = stride(from: -90.0, through: 90, by: 7.5).map { $0 }
        let heights = latitudes.map(MapProjection.height(ofLatitude:))
        var scales: [(quakes: Int, scale: Double)] = []
        for scale in [0.5, 3, 7, 20, 40, 300] {
            for quakes in [10, 2_000, 5_000, 20_000] { scales.append((quakes, scale)) }
        }
        let magnitudes: [Double] = [-1.25, -0.05, -0.04, 0, 0.05, 1, 2.449, 2.45, 4.35, 6.95, 9.5]
        let hilo = GeographicPoint(latitude: 19.73, longitude: -155.09)
        let computed: [String: Any] = [
            "latitudes": latitudes, "heights": heights, "back": heights.map(MapProjection.latitude(atHeight:)),
            "scales": scales.map { [Double($0.quakes), $0.scale] },
            "sizeFactors": scales.map { SymbolScale.sizeFactor(quakes: $0.quakes, unitsPerDegree: $0.scale) },
            "opacities": scales.map { SymbolScale.opacity(quakes: $0.quakes, unitsPerDegree: $0.scale) },
            "magnitudes": magnitudes, "titles": magnitudes.map { Quake.titleMagnitude($0) },
            "radii": magnitudes.map { SymbolScale.radius($0) },
            "distances": quakes.map { $0.epicenter.distanceKilometers(to: hilo) },
            "places": quakes.map { $0.describedPlace ?? "unknown place" },
            "regions": quakes.map(\.regions),
        ]
        try JSONSerialization.data(withJSONObject: computed).write(to: folder.appendingPathComponent("computed.json"))
    }

    static func content(_ quakes: [Quake]) -> MapContent {
        let asOf = Timestamp(milliseconds: (quakes.map(\.originTime.milliseconds).max() ?? 0) + 3_600_000)
        var content = MapContent(
            quakes: quakes, title: "All quakes", subtitle: "as of \(asOf.iso8601) · all_month, updated 4 min ago",
            asOf: asOf)
        content.period = "July 2021"
        for quake in quakes {
            content.revisions[quake.id] = SampleQuakes.history(of: quake)
        }
        return content
    }

    /// Returns `content` with data for a replay in which some quakes are retracted.
    static func replayed(_ content: MapContent) -> MapContent {
        var content = content
        let departed = stride(from: 0, to: content.quakes.count, by: 40).map { index in
            var quake = content.quakes[index]
            quake.code += "gone"
            quake.hypocenter.latitude += 0.3
            var revisions = SampleQuakes.history(of: quake)
            var deletion = MapContent.Revision(
                recorded: revisions[1].recorded + .seconds(3600), published: revisions[1].recorded + .seconds(3500),
                reason: .retracted, changes: [])
            (deletion.wasShown, deletion.isShown) = (true, false)
            revisions.append(deletion)
            return (quake: quake, revisions: revisions)
        }
        let oldest = content.quakes.last?.originTime ?? content.asOf
        content.replay = MapContent.Replay(recordedStart: oldest, publishedStart: oldest, departed: departed)
        return content
    }

    static func write(_ content: MapContent, _ name: String, _ folder: URL) throws {
        let clock = ContinuousClock()
        var bytes = 0
        let html = try clock.measure {
            let page = HTMLMap().document(content)
            bytes = page.count
            try Data(page).write(to: folder.appendingPathComponent(name + ".html"))
        }
        let svg = try clock.measure {
            try Data(SVGMap().document(content).utf8).write(to: folder.appendingPathComponent(name + ".svg"))
        }
        let terminal = clock.measure {
            _ = TerminalMap(columns: 120, rows: 40, usesColor: true, usesUnicode: true).lines(content)
        }
        for (columns, rows) in [(40, 20), (80, 24), (120, 40), (200, 60)] {
            for (suffix, color, unicode) in [("", true, true), ("-plain", false, true), ("-ascii", false, false)] {
                let map = TerminalMap(columns: columns, rows: rows, usesColor: color, usesUnicode: unicode)
                try Data((map.lines(content).joined(separator: "\n") + "\n").utf8)
                    .write(to: folder.appendingPathComponent("\(name)-\(columns)\(suffix).txt"))
            }
        }
        print(
            "\(name): \(content.quakes.count) quakes, HTML \(bytes) bytes in \(html), SVG \(svg), terminal \(terminal)")
    }
}
