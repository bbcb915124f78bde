import QuakeModel

extension SVGMap {
    /// Draws land and sea, borders, plate boundaries and degrees. Returns whether a plate boundary is in the window.
    func drawBackground(_ window: MapWindow, _ svg: inout SVGWriter) -> Bool {
        let detail = hasSimpleBackground ? window.detailInDots : window.detail
        let outlines = Outlines(detail, in: window.bounds)
        // Only the fine outlines contain plate boundaries and state lines.
        let needsFine = detail == .near || (detail == .coarse && !hasSimpleBackground)
        let fine = needsFine ? Outlines(.fine, in: window.bounds) : outlines
        svg.line("<rect width=\"1200\" height=\"800\" fill=\"\(SVGMap.sea)\"/>")
        let land = "fill=\"\(SVGMap.land)\" fill-rule=\"evenodd\""
        let coast = "stroke=\"#8a949c\" stroke-width=\"0.8\" stroke-linejoin=\"round\""
        let areas = outlines.coastlines.filter { $0.isClosed || $0.circlesPole }
        // Where rings end at the 180th meridian, they have no coast. A line in the color of land hides the seam.
        svg.path(self.areas(of: areas.filter(\.isCut), window), "\(land) stroke=\"\(SVGMap.land)\"")
        svg.path(self.areas(of: areas.filter { !$0.isCut }, window), "\(land) \(coast)")
        if detail != .coarse {
            svg.path(
                lines(of: fine.stateLines, window),
                "fill=\"none\" stroke=\"#b5ab98\" stroke-width=\"0.8\" stroke-dasharray=\"4 3\"")
        }
        svg.path(lines(of: outlines.borders, window), "fill=\"none\" stroke=\"#b5ab98\" stroke-width=\"1\"")
        // Open coastlines do not enclose land, so they are drawn as lines.
        let open = outlines.coastlines.filter { !$0.isClosed && !$0.circlesPole }
        svg.path(lines(of: open + areas.filter(\.isCut).flatMap(\.coasts), window), "fill=\"none\" \(coast)")
        let plates = hasSimpleBackground ? "" : lines(of: fine.plateBoundaries, window)
        svg.path(plates, SVGMap.plateLine)
        drawGraticule(window, &svg)
        return !plates.isEmpty
    }

    private func drawGraticule(_ window: MapWindow, _ svg: inout SVGWriter) {
        var graticule = ""
        for longitude in longitudes(window) {
            graticule += "M\(MarkupText.coordinate(window.x(of: longitude))) 0V\(MarkupText.coordinate(window.height))"
        }
        for latitude in latitudes(window) {
            graticule += "M0 \(MarkupText.coordinate(window.y(of: latitude)))H\(MarkupText.coordinate(window.width))"
        }
        svg.path(graticule, "fill=\"none\" stroke=\"#5b6b78\" stroke-opacity=\"0.18\" stroke-width=\"0.8\"")
    }

    /// The area in which lines are drawn: slightly outside the frame, to hide the cut edges of areas.
    private func edge(_ window: MapWindow) -> ClipRectangle {
        ClipRectangle(left: -4, top: -4, right: window.width + 4, bottom: window.height + 4)
    }

    private func areas(of lines: [Outlines.Line], _ window: MapWindow) -> String {
        let edge = edge(window)
        return lines.map { line in
            line.longitudeShifts(in: window.bounds).map { turn in
                var points = line.points.map { (window.x(of: $0.longitude + turn), window.y(of: $0.latitude)) }
                if line.circlesPole, let first = points.first, let last = points.last {
                    let pole = window.y(of: line.points[0].latitude < 0 ? -90 : 90)
                    points += [(last.0, pole), (first.0, pole)]
                }
                let visible = simplified(edge.clippedArea(points))
                return visible.count > 2 ? pathText(visible, isClosed: true) : ""
            }.joined()
        }.joined()
    }

    private func lines(of lines: [Outlines.Line], _ window: MapWindow) -> String {
        let edge = edge(window)
        return lines.map { line in
            line.longitudeShifts(in: window.bounds).map { turn in
                var points = line.points.map { (window.x(of: $0.longitude + turn), window.y(of: $0.latitude)) }
                if line.isClosed, let first = points.first { points.append(first) }
                return edge.clippedPieces(points).map { pathText(simplified($0), isClosed: false) }.joined()
            }.joined()
        }.joined()
    }

    /// Returns a line without the points that change it by less than a third of a pixel.
    private func simplified(_ points: [ClipRectangle.Point]) -> [ClipRectangle.Point] {
        LineSimplifier.simplified(points, tolerance: hasSimpleBackground ? 0.6 : 0.3)
    }

    /// Returns a path in whole pixels or tenths of a pixel, each point relative to the one before.
    func pathText(_ points: [ClipRectangle.Point], isClosed: Bool) -> String {
        let steps = hasSimpleBackground ? 1.0 : 10.0
        var text = ""
        var previous = (x: 0, y: 0)
        for point in points {
            let next = (x: Int((point.x * steps).rounded()), y: Int((point.y * steps).rounded()))
            if !text.isEmpty, next == previous { continue }
            text += text.isEmpty ? "M" : "l"
            text += number(next.x - previous.x, steps)
            if next.y >= previous.y { text += " " }
            text += number(next.y - previous.y, steps)
            previous = next
        }
        return isClosed && !text.isEmpty ? text + "Z" : text
    }

    private func number(_ value: Int, _ steps: Double) -> String {
        PlainNumber.text(Double(value) / steps)
    }

    /// Grays out everything outside the query's areas, and outlines each area.
    func drawScope(_ content: MapContent, _ window: MapWindow, _ svg: inout SVGWriter) {
        guard !content.scope.isEmpty else { return }
        let frame = "M0 0H\(MarkupText.coordinate(window.width))V\(MarkupText.coordinate(window.height))H0Z"
        let edge = edge(window)
        let outlines = content.scope.map { area in
            [-360.0, 0, 360].map { turn in
                pathText(
                    edge.clippedArea(
                        area.outline.map { (window.x(of: $0.longitude + turn), window.y(of: $0.latitude)) }),
                    isClosed: true)
            }.joined()
        }
        svg.line("<mask id=\"outside\">")
        svg.path(frame, "fill=\"#ffffff\"")
        for outline in outlines { svg.path(outline, "fill=\"#000000\"") }
        svg.line("</mask>")
        svg.path(frame, "fill=\"#808890\" fill-opacity=\"0.3\" mask=\"url(#outside)\"")
        for outline in outlines { svg.path(outline, "fill=\"none\" stroke=\"#56606a\" stroke-width=\"1.5\"") }
    }

    func drawFrame(_ window: MapWindow, _ svg: inout SVGWriter) {
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
}
