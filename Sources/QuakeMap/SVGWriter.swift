import QuakeModel

/// Writes SVG elements, one per line.
struct SVGWriter {
    var text = ""

    /// Returns an estimate of a text's width in pixels, because no font is available to measure. Even in DejaVu Sans,
    /// which is wider than most fonts, text is not wider than the estimate.
    static func width(of text: some StringProtocol, size: Int, isBold: Bool = false) -> Double {
        let ems = text.unicodeScalars.reduce(0.0) { sum, scalar in
            switch scalar {
            case " ", ".", ",", ":", ";", "'", "|", "!", "(", ")", "[", "]", "·", "i", "j", "l", "I", "f", "t", "r",
                "-":
                sum + 0.42
            case "M", "W", "m", "w", "@", "…", "%": sum + 1
            default: sum + Double(DisplayWidth.columns(of: scalar)) * (scalar.properties.isUppercase ? 0.77 : 0.65)
            }
        }
        return ems * Double(size) * (isBold ? 1.12 : 1)
    }

    mutating func line(_ line: String) {
        text += line
        text += "\n"
    }

    mutating func path(_ path: String, _ attributes: String) {
        if !path.isEmpty { line("<path \(attributes) d=\"\(path)\"/>") }
    }

    mutating func circle(x: Double, y: Double, radius: Double, _ attributes: String) {
        let x = MarkupText.coordinate(x)
        let y = MarkupText.coordinate(y)
        let radius = MarkupText.coordinate(radius)
        line("<circle cx=\"\(x)\" cy=\"\(y)\" r=\"\(radius)\" \(attributes)/>")
    }

    mutating func text(
        x: Double, y: Double, size: Int, weight: String? = nil, anchor: String? = nil, color: String = "#222222",
        spacing: Double? = nil, halo: Int? = nil, _ content: String
    ) {
        var attributes = "x=\"\(MarkupText.coordinate(x))\" y=\"\(MarkupText.coordinate(y))\" font-size=\"\(size)\""
        if let weight { attributes += " font-weight=\"\(weight)\"" }
        if let anchor { attributes += " text-anchor=\"\(anchor)\"" }
        if let spacing { attributes += " letter-spacing=\"\(spacing)\"" }
        let content = MarkupText.escaped(content)
        if let halo {
            line(
                "<text \(attributes) stroke=\"#ffffff\" stroke-opacity=\"0.8\" stroke-width=\"\(halo)\" fill=\"none\">"
                    + "\(content)</text>")
        }
        line("<text \(attributes) fill=\"\(color)\">\(content)</text>")
    }
}
