import QuakeModel

/// A map as an SVG document of 1200 × 800: one file, text as text, without style sheets, so that browsers, librsvg and
/// word processors show the same.
public struct SVGMap: Sendable {
    /// An SVG map.
    public init() {}

    private static let size = (width: 1200.0, height: 800.0)
    /// Where the map may lie. What is left and below is for the names of degrees and for the legend.
    private static let plot = (left: 56.0, top: 84.0, width: 1120.0, height: 590.0)
    private static let font = "font-family=\"system-ui, 'DejaVu Sans', 'Liberation Sans', Arial, sans-serif\""

    /// The document.
    public func document(_ picture: MapPicture) -> String {
        let plot = SVGMap.plot
        let window = MapWindow(picture.bounds, width: plot.width, height: plot.height)
        // A map narrower or lower than its room stands in the middle of it.
        let origin = (
            x: plot.left + (plot.width - window.width) / 2, y: plot.top + (plot.height - window.height) / 2
        )
        var svg = SVGWriter()
        svg.line(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1200 800\" width=\"1200\" height=\"800\" "
                + "role=\"img\" aria-labelledby=\"title\" \(SVGMap.font)>")
        svg.line("<title id=\"title\">\(MarkupText.escaped(picture.title)): \(picture.countText)</title>")
        svg.line("<rect width=\"1200\" height=\"800\" fill=\"#ffffff\"/>")
        header(picture, &svg)
        svg.line(
            "<clipPath id=\"frame\"><rect width=\"\(MarkupText.coordinate(window.width))\" "
                + "height=\"\(MarkupText.coordinate(window.height))\"/></clipPath>")
        svg.line("<g transform=\"translate(\(MarkupText.coordinate(origin.x)) \(MarkupText.coordinate(origin.y)))\">")
        svg.line("<g clip-path=\"url(#frame)\">")
        ground(window, &svg)
        quakes(picture, window, &svg)
        svg.line("</g>")
        frame(window, &svg)
        svg.line("</g>")
        legend(picture, &svg)
        svg.line("</svg>")
        return svg.text
    }

    private func header(_ picture: MapPicture, _ svg: inout SVGWriter) {
        svg.text(x: 24, y: 40, size: 24, weight: "600", shortened(picture.title, to: 70))
        svg.text(x: 24, y: 64, size: 14, color: "#555555", shortened(picture.subtitle, to: 110))
        svg.text(x: 1176, y: 40, size: 18, anchor: "end", picture.countText)
        guard let quake = picture.selected else { return }
        let place = quake.place.map { " · " + $0 } ?? ""
        svg.text(
            x: 1176, y: 64, size: 14, anchor: "end", color: "#b3005e",
            shortened("Selected: M \(Quake.titleMagnitude(quake.magnitude))\(place) · \(quake.id)", to: 90))
    }

    // MARK: The map

    private func ground(_ window: MapWindow, _ svg: inout SVGWriter) {
        let outlines = Outlines(window.detail)
        svg.line("<rect width=\"1200\" height=\"800\" fill=\"#dce8f0\"/>")
        svg.path(areas(of: outlines.coastlines, window), "fill=\"#f4f1ea\" fill-rule=\"evenodd\"")
        svg.path(lines(of: outlines.borders, window), "fill=\"none\" stroke=\"#cfc7b8\" stroke-width=\"0.8\"")
        svg.path(
            lines(of: outlines.coastlines, window),
            "fill=\"none\" stroke=\"#8a949c\" stroke-width=\"0.8\" stroke-linejoin=\"round\"")
        // The coarse outlines have no plate boundaries.
        let plates = outlines.plateBoundaries.isEmpty ? Outlines(.fine).plateBoundaries : outlines.plateBoundaries
        svg.path(
            lines(of: plates, window),
            "fill=\"none\" stroke=\"#c0563f\" stroke-width=\"1\" stroke-opacity=\"0.55\" stroke-dasharray=\"5 3\"")
        var graticule = ""
        for longitude in longitudes(window) {
            graticule += "M\(MarkupText.coordinate(window.x(of: longitude))) 0V\(MarkupText.coordinate(window.height))"
        }
        for latitude in latitudes(window) {
            graticule += "M0 \(MarkupText.coordinate(window.y(of: latitude)))H\(MarkupText.coordinate(window.width))"
        }
        svg.path(graticule, "fill=\"none\" stroke=\"#5b6b78\" stroke-opacity=\"0.18\" stroke-width=\"0.8\"")
    }

    /// Land, cut off a little outside the frame, so that its edge there is not seen.
    private func areas(of lines: [Outlines.Line], _ window: MapWindow) -> String {
        let edge = ClipRectangle(left: -4, top: -4, right: window.width + 4, bottom: window.height + 4)
        return lines.filter { $0.isClosed || $0.circlesPole }.map { line in
            line.turns(in: window.bounds).map { turn in
                var points = line.points.map { (window.x(of: $0.longitude + turn), window.y(of: $0.latitude)) }
                if line.circlesPole, let first = points.first, let last = points.last {
                    let pole = window.y(of: line.points[0].latitude < 0 ? -90 : 90)
                    points += [(last.0, pole), (first.0, pole)]
                }
                return pathText(edge.area(points), isClosed: true)
            }.joined()
        }.joined()
    }

    private func lines(of lines: [Outlines.Line], _ window: MapWindow) -> String {
        let edge = ClipRectangle(left: -4, top: -4, right: window.width + 4, bottom: window.height + 4)
        return lines.map { line in
            line.turns(in: window.bounds).map { turn in
                var points = line.points.map { (window.x(of: $0.longitude + turn), window.y(of: $0.latitude)) }
                if line.isClosed, let first = points.first { points.append(first) }
                return edge.pieces(points).map { pathText($0, isClosed: false) }.joined()
            }.joined()
        }.joined()
    }

    /// A path of whole and tenth pixels; points that fall onto the one before are left out.
    private func pathText(_ points: [ClipRectangle.Point], isClosed: Bool) -> String {
        var text = ""
        var previous = ""
        for point in points {
            let next = "\(MarkupText.coordinate(point.x)) \(MarkupText.coordinate(point.y))"
            if next == previous { continue }
            text += (text.isEmpty ? "M" : "L") + next
            previous = next
        }
        return isClosed && !text.isEmpty ? text + "Z" : text
    }

    private func quakes(_ picture: MapPicture, _ window: MapWindow, _ svg: inout SVGWriter) {
        svg.line("<g stroke=\"#1a1a1a\" stroke-opacity=\"0.6\" stroke-width=\"0.5\" fill-opacity=\"0.85\">")
        // Circles of which the middle lies outside can still reach in. Large ones lie below, so that none hides
        // another.
        for index in picture.ascendingMagnitudes.reversed() {
            let quake = picture.quakes[index]
            let (x, y) = window.position(of: quake.epicenter)
            let radius = MapScale.radius(quake.magnitude)
            let color = MapScale.depthClass(quake.hypocenter.depthKilometers).color
            for x in [x, x - 360 * window.unitsPerDegree]
            where x > -radius && x < window.width + radius && y > -radius && y < window.height + radius {
                svg.circle(x: x, y: y, radius: radius, "fill=\"\(color)\"")
            }
        }
        svg.line("</g>")
        if let quake = picture.selected, window.bounds.contains(quake.epicenter) {
            selection(quake, window, &svg)
        }
        if picture.quakes.isEmpty {
            svg.text(
                x: window.width / 2, y: window.height / 2, size: 22, anchor: "middle", color: "#444444",
                "No quakes match.")
        }
    }

    private func selection(_ quake: Quake, _ window: MapWindow, _ svg: inout SVGWriter) {
        let (x, y) = window.position(of: quake.epicenter)
        let radius = MapScale.radius(quake.magnitude) + 5
        svg.circle(x: x, y: y, radius: radius, "fill=\"none\" stroke=\"#ffffff\" stroke-width=\"5\"")
        svg.circle(x: x, y: y, radius: radius, "fill=\"none\" stroke=\"#b3005e\" stroke-width=\"2.5\"")
        let isLeft = x > window.width / 2
        svg.text(
            x: isLeft ? x - radius - 6 : x + radius + 6, y: y + 5, size: 15, weight: "600",
            anchor: isLeft ? "end" : "start", color: "#b3005e", halo: true,
            shortened("M \(Quake.titleMagnitude(quake.magnitude)) \(quake.place ?? quake.id)", to: 50))
    }

    private func frame(_ window: MapWindow, _ svg: inout SVGWriter) {
        svg.line(
            "<rect width=\"\(MarkupText.coordinate(window.width))\" height=\"\(MarkupText.coordinate(window.height))\" "
                + "fill=\"none\" stroke=\"#5b6b78\"/>")
        for longitude in longitudes(window) {
            svg.text(
                x: window.x(of: longitude), y: window.height + 16, size: 11, anchor: "middle", color: "#555555",
                longitudeText(longitude))
        }
        for latitude in latitudes(window) {
            svg.text(
                x: -6, y: window.y(of: latitude) + 4, size: 11, anchor: "end", color: "#555555", latitudeText(latitude))
        }
    }

    private func longitudes(_ window: MapWindow) -> [Double] {
        window.marks(from: window.bounds.west, to: window.bounds.east, count: max(Int(window.width / 110), 2))
    }

    private func latitudes(_ window: MapWindow) -> [Double] {
        window.marks(from: window.bounds.south, to: window.bounds.north, count: max(Int(window.height / 90), 2))
    }

    // MARK: Legend

    private func legend(_ picture: MapPicture, _ svg: inout SVGWriter) {
        svg.text(x: 24, y: 726, size: 13, weight: "600", "Magnitude")
        var x = 112.0
        for magnitude in [1.0, 2, 3, 4, 5, 6, 7] {
            let radius = MapScale.radius(magnitude)
            x += radius
            svg.circle(
                x: x, y: 722, radius: radius, "fill=\"#f0f0f0\" stroke=\"#1a1a1a\" stroke-opacity=\"0.7\"")
            svg.text(x: x, y: 760, size: 12, anchor: "middle", PlainNumber.text(magnitude))
            x += radius + 18
        }
        svg.text(x: 480, y: 726, size: 13, weight: "600", "Depth (km)")
        for (index, label) in MapScale.depthLabels(dash: "–", atLeast: "≥").enumerated() {
            let left = 568 + Double(index) * 74
            svg.line(
                "<rect x=\"\(MarkupText.coordinate(left))\" y=\"712\" width=\"74\" height=\"18\" "
                    + "fill=\"\(MapScale.depths[index].color)\"/>")
            svg.text(x: left + 37, y: 748, size: 12, anchor: "middle", label)
        }
        if picture.quakes.contains(where: { $0.hypocenter.depthKilometers == nil }) {
            svg.line("<rect x=\"1106\" y=\"712\" width=\"70\" height=\"18\" fill=\"\(MapScale.unknownDepth.color)\"/>")
            svg.text(x: 1141, y: 748, size: 12, anchor: "middle", "unknown")
        }
        svg.text(x: 24, y: 788, size: 11, color: "#666666", MapSources.sentence)
    }

    private func shortened(_ text: String, to limit: Int) -> String {
        text.count > limit ? text.prefix(limit - 1) + "…" : text
    }
}

/// Who made what is drawn.
enum MapSources {
    static let sentence =
        "Coastlines and borders: Natural Earth (public domain). Plate boundaries: P. Bird 2003, G-cubed 4(3) "
        + "1027; GeoJSON by H. Ahlenius, Nordpil (ODC-By). Quakes: USGS."
}

/// Writes SVG elements, one a line.
private struct SVGWriter {
    var text = ""

    mutating func line(_ line: String) {
        text += line
        text += "\n"
    }

    mutating func path(_ path: String, _ attributes: String) {
        if !path.isEmpty { line("<path \(attributes) d=\"\(path)\"/>") }
    }

    mutating func circle(x: Double, y: Double, radius: Double, _ attributes: String) {
        let (x, y, radius) = (MarkupText.coordinate(x), MarkupText.coordinate(y), MarkupText.coordinate(radius))
        line("<circle cx=\"\(x)\" cy=\"\(y)\" r=\"\(radius)\" \(attributes)/>")
    }

    mutating func text(
        x: Double, y: Double, size: Int, weight: String? = nil, anchor: String? = nil, color: String = "#222222",
        halo: Bool = false, _ content: String
    ) {
        var attributes = "x=\"\(MarkupText.coordinate(x))\" y=\"\(MarkupText.coordinate(y))\" font-size=\"\(size)\""
        if let weight { attributes += " font-weight=\"\(weight)\"" }
        if let anchor { attributes += " text-anchor=\"\(anchor)\"" }
        let content = MarkupText.escaped(content)
        if halo { line("<text \(attributes) stroke=\"#ffffff\" stroke-width=\"4\" fill=\"none\">\(content)</text>") }
        line("<text \(attributes) fill=\"\(color)\">\(content)</text>")
    }
}
