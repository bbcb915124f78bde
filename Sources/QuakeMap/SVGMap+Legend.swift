import QuakeModel

extension SVGMap {
    /// Draws the title, the count, and the line about the age of the data. A long title becomes smaller or takes two
    /// lines.
    func drawHeader(_ content: MapContent, _ svg: inout SVGWriter) {
        let count = content.countText
        let room = 1152 - SVGWriter.width(of: count, size: 18) - 24
        let title = SVGText(content.headline, sizes: [24, 20, 18, 16, 14], isBold: true, room: room)
        let first = title.lines.count == 1 ? 40.0 : 30
        for (index, line) in title.lines.enumerated() {
            svg.text(x: 24, y: first + 22 * Double(index), size: title.size, weight: "600", line)
        }
        svg.text(x: 1176, y: first, size: 18, anchor: "end", count)
        let subtitle = SVGText(content.subtitle, sizes: [14, 12, 11], isBold: false, room: 1152, lineLimit: 1)
        svg.text(
            x: 24, y: title.lines.count == 1 ? 64 : 72, size: subtitle.size, color: "#555555", subtitle.lines[0])
    }

    /// Draws the scales of magnitudes and colors, the other signs, and the credits below the map.
    func drawLegend(_ content: MapContent, _ factor: Double, hasPlates: Bool, _ svg: inout SVGWriter) {
        drawSigns(content, hasPlates: hasPlates, &svg)
        svg.text(x: 24, y: 790, size: 11, color: "#666666", MapCredits.sentence)
        if content.quakes.isEmpty { return }
        svg.text(x: 24, y: 726, size: 13, weight: "600", "Magnitude")
        var x = 112.0
        for magnitude in content.legendMagnitudes {
            let radius = SymbolScale.radius(magnitude) * factor
            x += radius
            svg.circle(x: x, y: 722, radius: radius, "fill=\"#f0f0f0\" stroke=\"#1a1a1a\" stroke-opacity=\"0.7\"")
            svg.text(x: x, y: 760, size: 12, anchor: "middle", PlainNumber.text(magnitude))
            x += radius + 18
        }
        svg.text(x: 480, y: 708, size: 13, weight: "600", shortened(content.legendTitle(of: content.coloring), to: 40))
        drawColors(content.legend(), &svg)
    }

    /// Draws the other signs on the line of the color scale's title, from right to left.
    private func drawSigns(_ content: MapContent, hasPlates: Bool, _ svg: inout SVGWriter) {
        var right = 1176.0
        func write(_ text: String) {
            svg.text(x: right, y: 708, size: 12, anchor: "end", text)
            right -= SVGWriter.width(of: text, size: 12) + 6
        }
        if hasPlates {
            write("plate boundary")
            svg.path("M\(MarkupText.coordinate(right - 30)) 704h30", SVGMap.plateLine)
            right -= 30 + 20
        }
        if !content.scope.isEmpty {
            write("outside the selected area")
            let mark = "x=\"\(MarkupText.coordinate(right - 20))\" y=\"698\" width=\"20\" height=\"12\""
            svg.line("<rect \(mark) fill=\"#c3c9cf\" stroke=\"#56606a\"/>")
        }
    }

    /// Draws the classes of the color scale side by side, in two rows if their labels need it.
    func drawColors(_ legend: [(label: String, color: ColorScale.Class)], _ svg: inout SVGWriter) {
        let room = 696.0
        let widths = legend.map { SVGWriter.width(of: $0.label, size: 12) + 10 }
        let rows = widths.reduce(0, +) <= room ? 1 : 2
        let perRow = (legend.count + rows - 1) / rows
        for row in 0..<rows {
            let classes = legend.indices.dropFirst(row * perRow).prefix(perRow)
            let needed = classes.reduce(0) { $0 + widths[$1] }
            // Classes share the room that is left over. If there is too little, all shrink alike and their labels are
            // cut.
            let extra = max(room - needed, 0) / Double(perRow)
            let shrink = min(room / max(needed, 1), 1)
            var left = 480.0
            for index in classes {
                let width = widths[index] * shrink + extra
                let y = 716 + Double(row) * 34
                svg.line(
                    "<rect x=\"\(MarkupText.coordinate(left))\" y=\"\(MarkupText.coordinate(y))\" "
                        + "width=\"\(MarkupText.coordinate(width))\" height=\"\(rows == 1 ? 18 : 14)\" "
                        + "fill=\"\(legend[index].color.light)\" stroke=\"\(legend[index].color.rim)\"/>")
                let label = SVGText(legend[index].label, sizes: [12], isBold: false, room: width - 6, lineLimit: 1)
                svg.text(
                    x: left + width / 2, y: y + (rows == 1 ? 33 : 26), size: 12, anchor: "middle", label.lines[0])
                left += width
            }
        }
    }
}
