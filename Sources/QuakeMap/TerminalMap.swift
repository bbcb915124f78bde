import QuakeModel

/// A map made of characters. Quakes are drawn over coastlines of Braille dots, and larger quakes over smaller ones.
public struct TerminalMap: Sendable {
    public var columns: Int
    /// The maximum number of lines.
    public var rows: Int
    /// Whether to use the terminal's 256 colors. Without color, the symbols show only the magnitude.
    public var usesColor: Bool
    /// Whether to use Unicode characters instead of only ASCII.
    public var usesUnicode: Bool

    /// Creates a map of the given size, but of at least 20 columns and 8 lines.
    public init(columns: Int, rows: Int, usesColor: Bool, usesUnicode: Bool) {
        self.columns = max(columns, 20)
        self.rows = max(rows, 8)
        self.usesColor = usesColor
        self.usesUnicode = usesUnicode
    }

    /// Returns the lines of the map. There are at most `rows` lines, none wider than `columns`. Each colored line
    /// resets the color at its end.
    public func lines(_ content: MapContent) -> [String] {
        let header = headerLines(content)
        let footer = footerLines(content)
        // The frame takes two lines.
        let height = max(rows - header.count - footer.count - 2, 3)
        return header + mapLines(content, height: height) + footer
    }

    /// Returns only the framed map, without the lines above and below that describe it.
    public func bareLines(_ content: MapContent) -> [String] { mapLines(content, height: max(rows - 2, 3)) }

    // MARK: Around the map

    private func headerLines(_ content: MapContent) -> [String] {
        let count = content.countText
        let room = columns - DisplayWidth.columns(of: count) - 2
        let title = fitted(content.headline, max(room, 0))
        let gap = String(repeating: " ", count: max(room - DisplayWidth.columns(of: title), 0) + 2)
        let first = styled(title, "1") + gap + count
        guard rows >= 16, !content.subtitle.isEmpty else { return [first] }
        return [first, styled(fitted(content.subtitle, columns), "2")]
    }

    private func footerLines(_ content: MapContent) -> [String] {
        var lines: [String] = []
        if let quake = content.describedQuake, rows >= 16 || content.selected != nil {
            let symbol = SymbolScale.symbol(quake.magnitude, unicode: usesUnicode)
            let mark = content.selected == nil ? "largest: \(symbol)" : "selected: \(selectionSymbol)"
            lines.append(styled(fitted(selectionText(quake, mark), columns), "1"))
        }
        if rows >= 16 {
            if content.quakes.isEmpty { lines += content.sentencesIfEmpty.map { fitted($0, columns) } }
            if content.quakes.count > 1 { lines.append(contentsOf: rateLine(content)) }
            lines.append(contentsOf: legendLines(content))
        }
        return lines
    }

    /// Returns a description of the selected or the largest quake. If there is little room, the depth is omitted, then
    /// the place is cut.
    private func selectionText(_ quake: Quake, _ mark: String) -> String {
        let depth =
            quake.hypocenter.depthKilometers.map { depth in
                ", \(PlainNumber.text(abs(depth), decimals: 1)) km \(depth < 0 ? "above sea level" : "deep")"
            } ?? ""
        let start = "\(mark) M \(Quake.titleMagnitude(quake.magnitude))"
        let end = ", \(quake.originTime.minuteWords) UTC, \(quake.id)"
        guard let place = quake.describedPlace else { return start + depth + end }
        let room = columns - DisplayWidth.columns(of: start + end) - 2
        let roomBesideDepth = room - DisplayWidth.columns(of: depth)
        return DisplayWidth.columns(of: place) <= roomBesideDepth
            ? "\(start), \(fitted(place, roomBesideDepth))\(depth)\(end)"
            : "\(start), \(fitted(place, max(room, 10)))\(end)"
    }

    private func rateLine(_ content: MapContent) -> [String] {
        // The length of the label depends on the bars, so space is reserved for the longest one, `per 30 days`, and for
        // times of eleven characters.
        let narrow = columns < 70
        let words = narrow ? 13 : 13 + 2 * 12 + 12
        guard let rate = QuakeRate(of: content.quakes, limit: columns - words) else { return [] }
        let highest = rate.counts.max() ?? 0
        let last = content.quakes.lazy.map(\.originTime).max() ?? rate.start
        let (start, end) = (rate.label(of: rate.start), rate.label(of: last))
        let bars = styled(rate.bars(unicode: usesUnicode), "36")
        let label = "per \(rate.unit) "
        return narrow
            ? [label + bars] : [label + "\(start) " + bars + " \(end)  max \(highest.grouped)"]
    }

    private func legendLines(_ content: MapContent) -> [String] {
        var magnitudes = SymbolScale.symbols.map { symbol in
            let name =
                symbol.from.isFinite
                ? "M\(PlainNumber.text(symbol.from))" : "<M\(PlainNumber.text(SymbolScale.symbols[1].from))"
            return "\(usesUnicode ? symbol.unicode : symbol.ascii) \(name)"
        }
        magnitudes[magnitudes.count - 1] += "+"
        let sizes = magnitudes.joined(separator: "  ")
        guard usesColor, !content.quakes.isEmpty else { return [fitted(sizes, columns)] }
        let title = content.legendTitle(of: content.coloring)
        var lines = [fitted(sizes, columns), title]
        var used = title.count
        for (name, color) in content.legend() {
            let label = usesUnicode ? name : name.replacing("–", with: "-").replacing("≥", with: ">=")
            if used + label.count + 3 > columns {
                lines.append(String(repeating: " ", count: title.count))
                used = title.count
            }
            lines[lines.count - 1] += " \(styled(usesUnicode ? "■" : "#", "38;5;\(color.terminal)")) \(label)"
            used += label.count + 3
        }
        return lines
    }

    // MARK: The map

    private func mapLines(_ content: MapContent, height: Int) -> [String] {
        let bounds = content.bounds
        // The width to the left of the frame depends on the longest latitude label.
        let gutter = columns < 30 ? 0 : (bounds.north - bounds.south > 12 ? 4 : 6)
        let window = MapWindow(bounds, width: Double(2 * (columns - gutter - 2)), height: Double(4 * height))
        var canvas = outlines(window)
        let scope = scopeCanvas(content, window, canvas)
        canvas.add(scope)
        var cells = quakeCells(content, window, canvas)
        addSigns(of: content, window, canvas, to: &cells)
        let latitudes = marks(latitudesOf: window, rows: canvas.rows)
        let left = usesUnicode ? "┌" : "+"
        let right = usesUnicode ? "┐" : "+"
        let side = usesUnicode ? "│" : "|"
        var lines = [
            String(repeating: " ", count: gutter)
                + styled(left + String(repeating: horizontal, count: canvas.columns) + right, frameStyle)
        ]
        for row in 0..<canvas.rows {
            let name = gutter == 0 ? "" : latitudes[row] ?? ""
            let tick = name.isEmpty ? side : usesUnicode ? "┤" : "+"
            let padding = String(repeating: " ", count: max(gutter - name.count, 0))
            lines.append(
                padding + styled(name + tick, frameStyle) + text(ofRow: row, canvas, scope, cells)
                    + styled(side, frameStyle))
        }
        lines.append(String(repeating: " ", count: gutter) + styled(bottomEdge(window, canvas.columns), frameStyle))
        return lines
    }

    private func outlines(_ window: MapWindow) -> DotCanvas {
        // The subtraction prevents a rounding error from adding a column or row.
        let width = window.width / 2 - 1e-6
        let height = window.height / 4 - 1e-6
        var canvas = DotCanvas(columns: max(Int(width.rounded(.up)), 1), rows: max(Int(height.rounded(.up)), 1))
        let outlines = Outlines(window.detailInDots, in: window.bounds)
        // Borders clutter a map with fewer than four dots per degree.
        let lines = window.unitsPerDegree > 4 ? outlines.coastlines + outlines.borders : outlines.coastlines
        for line in lines {
            for turn in line.longitudeShifts(in: window.bounds) {
                var previous = line.isClosed ? line.points.last : nil
                for point in line.points {
                    if let previous {
                        canvas.draw(
                            from: (window.x(of: previous.longitude + turn), window.y(of: previous.latitude)),
                            to: (window.x(of: point.longitude + turn), window.y(of: point.latitude)))
                    }
                    previous = point
                }
            }
        }
        return canvas
    }

    /// A character that covers the outlines: a quake, a marker, or a letter of a label or of a name.
    struct Cell {
        var character: Character
        var style: String?
    }

    /// Returns the column and row of a point; nil if it lies outside the map.
    func place(_ point: GeographicPoint, _ window: MapWindow, _ canvas: DotCanvas) -> (column: Int, row: Int)? {
        guard window.bounds.contains(point) else { return nil }
        let (x, y) = window.position(of: point)
        return (min(Int(x / 2), canvas.columns - 1), min(max(Int(y / 4), 0), canvas.rows - 1))
    }

    private func quakeCells(_ content: MapContent, _ window: MapWindow, _ canvas: DotCanvas) -> [Int: Cell] {
        var cells: [Int: Cell] = [:]
        let classes = content.colorClasses()
        for index in content.ascendingMagnitudes {
            let quake = content.quakes[index]
            guard let (column, row) = place(quake.epicenter, window, canvas) else { continue }
            cells[row * canvas.columns + column] = Cell(
                character: SymbolScale.symbol(quake.magnitude, unicode: usesUnicode),
                style: "38;5;\(classes[index].terminal)"
                    + ((quake.magnitude ?? 0) >= 6 ? ";1" : ""))
        }
        if let quake = content.selected, let (column, row) = place(quake.epicenter, window, canvas) {
            cells[row * canvas.columns + column] = Cell(character: selectionSymbol, style: "1;7")
            let label = Array(" M \(Quake.titleMagnitude(quake.magnitude)) ")
            let start = column + 1 + label.count <= canvas.columns ? column + 1 : column - label.count
            for (offset, character) in label.enumerated() where canvas.columns > label.count + 1 && start >= 0 {
                cells[row * canvas.columns + start + offset] = Cell(character: character, style: "1;7")
            }
        }
        return cells
    }

    /// Returns a row of the map. Style codes are written only where the style changes.
    private func text(ofRow row: Int, _ canvas: DotCanvas, _ scope: DotCanvas, _ cells: [Int: Cell]) -> String {
        var text = ""
        var style: String?
        for column in 0..<canvas.columns {
            let outline = canvas.character(column: column, row: row, unicode: usesUnicode)
            let lineStyle = scope.hasDots(column: column, row: row) ? scopeStyle : outlineStyle
            let cell = cells[row * canvas.columns + column] ?? Cell(character: outline, style: lineStyle)
            if usesColor, cell.character != " " || cell.style == "1;7", cell.style != style {
                if style != nil { text += "\u{1B}[0m" }
                if let next = cell.style { text += "\u{1B}[\(next)m" }
                style = cell.style
            } else if usesColor, style == "1;7", cell.style != style {
                text += "\u{1B}[0m"
                style = nil
            }
            text.append(cell.character)
        }
        return style == nil ? text : text + "\u{1B}[0m"
    }

    private func marks(latitudesOf window: MapWindow, rows: Int) -> [Int: String] {
        var names: [Int: String] = [:]
        let bounds = window.bounds
        for latitude in window.marks(from: bounds.south, to: bounds.north, count: max(rows / 4, 2)) {
            let row = Int(window.y(of: latitude) / 4)
            if (0..<rows).contains(row) { names[row] = degrees(latitudeText(latitude)) }
        }
        return names
    }

    /// Returns a longitude or latitude label; in ASCII, without the degree sign.
    private func degrees(_ name: String) -> String { usesUnicode ? name : name.filter(\.isASCII) }

    /// Returns the lower edge of the frame with the longitude labels.
    private func bottomEdge(_ window: MapWindow, _ width: Int) -> String {
        var edge = Array(repeating: Character(horizontal), count: width)
        var free = 0
        for longitude in window.marks(from: window.bounds.west, to: window.bounds.east, count: max(width / 12, 2)) {
            let name = Array(degrees(longitudeText(longitude)))
            let start = Int(window.x(of: longitude) / 2) - name.count / 2
            guard start >= free, start + name.count <= width else { continue }
            edge.replaceSubrange(start..<start + name.count, with: name)
            free = start + name.count + 2
        }
        return (usesUnicode ? "└" : "+") + String(edge) + (usesUnicode ? "┘" : "+")
    }

    // MARK: Style

    private var horizontal: String { usesUnicode ? "─" : "-" }
    private var selectionSymbol: Character { usesUnicode ? "◎" : "X" }
    private var frameStyle: String { "38;5;245" }
    private var outlineStyle: String { "38;5;243" }
    private var scopeStyle: String { "38;5;67" }

    private func styled(_ text: String, _ style: String) -> String {
        usesColor && !text.isEmpty ? "\u{1B}[\(style)m\(text)\u{1B}[0m" : text
    }

    /// Returns `text` made safe for a terminal and cut to `limit` columns.
    func fitted(_ text: String, _ limit: Int) -> String {
        let safe = DisplayWidth.fitted(TerminalText.sanitized(text), columns: limit)
        return usesUnicode ? safe : ASCIIText.of(safe)
    }
}
