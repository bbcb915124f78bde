/// A grid of dots drawn as Braille characters, each two dots wide and four high, or as ASCII punctuation.
struct DotCanvas {
    let columns: Int
    let rows: Int
    /// The Braille pattern of each cell, row by row.
    private var patterns: [UInt8]

    init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
        patterns = Array(repeating: 0, count: columns * rows)
    }

    /// The bit of each dot in a cell, row by row, as in the Braille characters U+2800…U+28FF.
    private static let bits: [UInt8] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]

    /// Draws the part of a line that lies on the canvas. Coordinates are in dots.
    mutating func draw(from start: ClipRectangle.Point, to end: ClipRectangle.Point) {
        let canvas = ClipRectangle(left: 0, top: 0, right: Double(columns * 2) - 0.01, bottom: Double(rows * 4) - 0.01)
        guard let (start, end) = canvas.clippedSegment(start, end) else { return }
        let steps = Int(max(abs(end.x - start.x), abs(end.y - start.y)).rounded(.up))
        for step in 0...max(steps, 1) {
            let share = Double(step) / Double(max(steps, 1))
            let x = Int(start.x + (end.x - start.x) * share)
            let y = Int(start.y + (end.y - start.y) * share)
            patterns[y / 4 * columns + x / 2] |= DotCanvas.bits[y % 4 * 2 + x % 2]
        }
    }

    /// Adds the dots of a canvas of the same size.
    mutating func add(_ other: DotCanvas) {
        for index in patterns.indices { patterns[index] |= other.patterns[index] }
    }

    func hasDots(column: Int, row: Int) -> Bool { patterns[row * columns + column] != 0 }

    /// Returns the character of a cell; a space if it is empty.
    func character(column: Int, row: Int, unicode: Bool) -> Character {
        let pattern = patterns[row * columns + column]
        if pattern == 0 { return " " }
        if unicode { return Character(Unicode.Scalar(0x2800 + UInt32(pattern)) ?? " ") }
        // Whether the upper half of the cell contains dots, and whether the lower half does.
        switch (pattern & 0b0001_1011 != 0, pattern & 0b1110_0100 != 0) {
        case (true, true): return ":"
        case (true, false): return "'"
        default: return "."
        }
    }
}
