import QuakeModel

extension SVGMap {
    /// Draws the scales of magnitudes and colors, other signs on the map, and the sources, below the map.
    func legend(_ picture: MapPicture, _ factor: Double, _ svg: inout SVGWriter) {
        svg.text(x: 24, y: 726, size: 13, weight: "600", "Magnitude")
        var x = 112.0
        for magnitude in [1.0, 2, 3, 4, 5, 6, 7] {
            let radius = MapScale.radius(magnitude) * factor
            x += radius
            svg.circle(x: x, y: 722, radius: radius, "fill=\"#f0f0f0\" stroke=\"#1a1a1a\" stroke-opacity=\"0.7\"")
            svg.text(x: x, y: 760, size: 12, anchor: "middle", PlainNumber.text(magnitude))
            x += radius + 18
        }
        svg.text(x: 480, y: 726, size: 13, weight: "600", picture.legendTitle(of: picture.coloring))
        let legend = picture.legend()
        let width = 608 / Double(legend.count)
        for (index, entry) in legend.enumerated() {
            let left = 568 + Double(index) * width
            svg.line(
                "<rect x=\"\(MarkupText.coordinate(left))\" y=\"712\" "
                    + "width=\"\(MarkupText.coordinate(width))\" height=\"18\" fill=\"\(entry.color.light)\" stroke=\"\(entry.color.rim)\"/>")
            svg.text(x: left + width / 2, y: 748, size: 12, anchor: "middle", entry.label)
        }
        if !hasPlainGround {
            svg.path("M960 771H990", SVGMap.plateLine)
            svg.text(x: 996, y: 775, size: 12, "plate boundary")
        }
        if !picture.scope.isEmpty {
            let mark = "x=\"840\" y=\"764\" width=\"20\" height=\"12\""
            svg.line("<rect \(mark) fill=\"#c3c9cf\" stroke=\"#56606a\"/>")
            svg.text(x: 866, y: 775, size: 12, "not covered by this map")
        }
        svg.text(x: 24, y: 788, size: 11, color: "#666666", MapSources.sentence)
    }
}
