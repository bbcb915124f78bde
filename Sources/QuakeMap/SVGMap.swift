import QuakeModel

/// A map as an SVG document of 1200 × 800 pixels. The document stores text as text and needs no style sheets or other
/// files, so browsers, librsvg and word processors display it alike.
public struct SVGMap: Sendable {
    /// Whether the background takes fewer bytes: without plate boundaries, and in whole pixels.
    let hasSimpleBackground: Bool

    /// Creates an SVG map. A simple background makes a page that contains the map smaller.
    public init(hasSimpleBackground: Bool = false) { self.hasSimpleBackground = hasSimpleBackground }

    private static let size = (width: 1200.0, height: 800.0)
    /// The area for the map. The margins to the left and below are for degree labels and the legend.
    private static let plot = (left: 56.0, top: 84.0, width: 1120.0, height: 590.0)
    /// The colors of the background, the same as on a page with a light theme.
    static let sea = "#dfe9f1"
    static let land = "#f7f4ee"
    static let plateLine =
        "fill=\"none\" stroke=\"#a8705f\" stroke-width=\"1\" stroke-opacity=\"0.55\" stroke-dasharray=\"5 3\""
    private static let font = "font-family=\"system-ui, 'DejaVu Sans', 'Liberation Sans', Arial, sans-serif\""

    public func document(_ content: MapContent) -> String {
        let plot = SVGMap.plot
        let window = MapWindow(content.bounds, width: plot.width, height: plot.height)
        // A map narrower or lower than the available area is centered in it.
        let origin = (x: plot.left + (plot.width - window.width) / 2, y: plot.top + (plot.height - window.height) / 2)
        var svg = SVGWriter()
        svg.line(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1200 800\" width=\"1200\" height=\"800\" "
                + "role=\"img\" aria-labelledby=\"title\" \(SVGMap.font)>")
        svg.line("<title id=\"title\">\(MarkupText.escaped(content.headline)): \(content.countText)</title>")
        svg.line("<rect width=\"1200\" height=\"800\" fill=\"#ffffff\"/>")
        drawHeader(content, &svg)
        svg.line(
            "<clipPath id=\"frame\"><rect width=\"\(MarkupText.coordinate(window.width))\" "
                + "height=\"\(MarkupText.coordinate(window.height))\"/></clipPath>")
        svg.line("<g transform=\"translate(\(MarkupText.coordinate(origin.x)) \(MarkupText.coordinate(origin.y)))\">")
        svg.line("<g clip-path=\"url(#frame)\">")
        let hasPlates = drawBackground(window, &svg)
        drawScope(content, window, &svg)
        drawQuakes(content, window, &svg)
        svg.line("</g>")
        drawFrame(window, &svg)
        svg.line("</g>")
        drawLegend(content, sizeFactor(content, window), hasPlates: hasPlates, &svg)
        svg.line("</svg>")
        return svg.text
    }

    private func drawQuakes(_ content: MapContent, _ window: MapWindow, _ svg: inout SVGWriter) {
        // A circle whose center lies outside the window can still reach into it.
        let factor = sizeFactor(content, window)
        let classes = content.colorClasses()
        var band: Int?
        for index in content.drawingOrder {
            let quake = content.quakes[index]
            if band != SymbolScale.band(quake.magnitude) {
                if band != nil { svg.line("</g>") }
                band = SymbolScale.band(quake.magnitude)
                beginCircles(ofBand: band ?? 0, content, window, &svg)
            }
            let position = window.position(of: quake.epicenter)
            let x = hasSimpleBackground ? position.x.rounded() : position.x
            let y = hasSimpleBackground ? position.y.rounded() : position.y
            let radius = SymbolScale.radius(quake.magnitude) * factor
            for x in [x, x - 360 * window.unitsPerDegree]
            where x > -radius && x < window.width + radius && y > -radius && y < window.height + radius {
                svg.circle(x: x, y: y, radius: radius, colorAttributes(of: classes[index], inBand: band ?? 0))
            }
        }
        if band != nil { svg.line("</g>") }
        drawNames(content, factor, window, &svg)
        if let quake = content.selected, window.bounds.contains(quake.epicenter) {
            drawSelection(quake, factor, window, &svg)
        }
        if content.quakes.isEmpty {
            // A panel keeps the sentences readable over coastlines and place names.
            let height = 30.0 * Double(content.sentencesIfEmpty.count) + 20
            svg.line(
                "<rect x=\"\(MarkupText.coordinate(window.width / 2 - 460))\" "
                    + "y=\"\(MarkupText.coordinate(window.height / 2 - 34))\" width=\"920\" "
                    + "height=\"\(MarkupText.coordinate(height))\" rx=\"6\" fill=\"#ffffff\" fill-opacity=\"0.9\"/>")
            for (number, sentence) in content.sentencesIfEmpty.enumerated() {
                svg.text(
                    x: window.width / 2, y: window.height / 2 + Double(number) * 26, size: 18, anchor: "middle",
                    color: "#444444", halo: 4, shortened(sentence, to: 90))
            }
        }
    }

    /// Begins a group of circles that are drawn alike: see ``SymbolScale/bands``.
    private func beginCircles(ofBand band: Int, _ content: MapContent, _ window: MapWindow, _ svg: inout SVGWriter) {
        let opacity =
            band >= SymbolScale.firstLargeBand
            ? 1 : SymbolScale.opacity(quakes: content.quakes.count, unitsPerDegree: window.unitsPerDegree)
        let (_, fill, rim) = SymbolScale.bands[band]
        svg.line(
            "<g fill-opacity=\"\(PlainNumber.text(opacity * fill, decimals: 2))\" "
                + "stroke-opacity=\"\(PlainNumber.text(opacity, decimals: 2))\" stroke=\"#ffffff\" "
                + "stroke-width=\"\(PlainNumber.text(rim))\">")
    }

    /// Returns the attributes of a circle. A filled circle in a dark color has the white outline of its group, which
    /// sets the circle apart from its neighbors.
    private func colorAttributes(of one: ColorScale.Class, inBand band: Int) -> String {
        let fill = "fill=\"\(one.light)\""
        return band == SymbolScale.firstLargeBand && one.rim == one.light ? fill : "\(fill) stroke=\"\(one.rim)\""
    }

    private func sizeFactor(_ content: MapContent, _ window: MapWindow) -> Double {
        SymbolScale.sizeFactor(quakes: content.quakes.count, unitsPerDegree: window.unitsPerDegree)
    }

    func shortened(_ text: String, to limit: Int) -> String {
        text.count > limit ? text.prefix(limit - 1) + "…" : text
    }
}
