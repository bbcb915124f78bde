import QuakeModel

extension SVGMap {
    /// Draws the reader's home, the centers of the query's circles, and the names of quakes and places on top of the
    /// map.
    func drawNames(_ content: MapContent, _ factor: Double, _ window: MapWindow, _ svg: inout SVGWriter) {
        var keptClear: [ClipRectangle] = []
        if let home = content.home, window.bounds.contains(home) {
            let (x, y) = window.position(of: home)
            keptClear.append(ClipRectangle(left: x - 10, top: y - 10, right: x + 10, bottom: y + 9))
            let corners = [(0.0, -9.0), (9, -1), (6, -1), (6, 8), (-6, 8), (-6, -1), (-9, -1)]
            svg.path(
                pathText(corners.map { (x + $0.0, y + $0.1) }, isClosed: true),
                "fill=\"#0b62a4\" stroke=\"#ffffff\" stroke-width=\"1.5\"")
        }
        for center in content.centers where window.bounds.contains(center.point) {
            let (x, y) = window.position(of: center.point)
            let name = shortened(center.name, to: 40)
            keptClear.append(
                ClipRectangle(left: x - 8, top: y - 10, right: x + 14 + 8 * Double(name.count), bottom: y + 10))
            let bars = [[(x - 7, y), (x + 7, y)], [(x, y - 7), (x, y + 7)]]
            let cross = bars.map { pathText($0, isClosed: false) }.joined()
            for (color, width) in [("#ffffff", 5), ("#0b62a4", 2.5)] {
                svg.path(cross, "fill=\"none\" stroke=\"\(color)\" stroke-width=\"\(width)\"")
            }
            svg.text(x: x + 11, y: y + 5, size: 13, weight: "600", color: "#0b62a4", halo: 3, name)
        }
        for label in MapLabels(content, window, factor: factor, keepingClear: keptClear).labels {
            drawName(label, &svg)
        }
    }

    private func drawName(_ label: MapLabels.Label, _ svg: inout SVGWriter) {
        let (x, y) = (label.x, label.y + 4)
        for (color, width) in [("#ffffff", 3), ("#222222", 1)] where !label.leader.isEmpty {
            svg.path(pathText(label.leader, isClosed: false), "stroke=\"\(color)\" stroke-width=\"\(width)\"")
        }
        switch label.kind {
        case .selection:
            svg.text(x: x, y: y + 1, size: 15, weight: "600", color: "#b3005e", halo: 4, label.text)
        case .quake: svg.text(x: x, y: y, size: 13, weight: "600", halo: 4, label.text)
        case .region:
            svg.text(x: x, y: y, size: 11, weight: "600", color: "#5d5648", spacing: 1.5, halo: 3, label.text)
        case .city:
            if let dot = label.dot { svg.circle(x: dot.x, y: dot.y, radius: 2, "fill=\"#2b3238\" stroke=\"#ffffff\"") }
            svg.text(x: x, y: y, size: 12, color: "#2b3238", halo: 3, label.text)
        }
    }

    /// Draws a ring around the selected quake.
    func drawSelection(_ quake: Quake, _ factor: Double, _ window: MapWindow, _ svg: inout SVGWriter) {
        let (x, y) = window.position(of: quake.epicenter)
        let radius = SymbolScale.radius(quake.magnitude) * factor + 5
        for (stroke, width) in [("#ffffff", 5), ("#b3005e", 2.5)] {
            svg.circle(x: x, y: y, radius: radius, "fill=\"none\" stroke=\"\(stroke)\" stroke-width=\"\(width)\"")
        }
    }
}
