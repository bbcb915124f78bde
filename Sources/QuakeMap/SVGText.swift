import QuakeModel

/// Text fitted into a given width: on one line if one of the three largest sizes permits that, otherwise on several
/// lines in the largest possible size. Text that is still too long is cut.
struct SVGText {
    let lines: [String]
    let size: Int

    init(_ text: String, sizes: [Int], isBold: Bool, room: Double, lineLimit: Int = 2) {
        // More than fits in any case, but few enough to measure.
        let text = String(text.prefix(400))
        // A line in one of the largest sizes looks better than two lines.
        let attempts = sizes.prefix(3).map { (size: $0, limit: 1) } + sizes.dropFirst().map { ($0, lineLimit) }
        for (size, limit) in attempts {
            if let lines = SVGText.wrapped(text, size: size, isBold: isBold, room: room, limit: limit) {
                (self.lines, self.size) = (lines, size)
                return
            }
        }
        size = sizes.last ?? 12
        let size = size
        var kept = Array(text)
        while kept.count > 1 {
            kept.removeLast()
            if let lines = SVGText.wrapped(String(kept) + "…", size: size, isBold: isBold, room: room, limit: lineLimit)
            {
                self.lines = lines
                return
            }
        }
        lines = ["…"]
    }

    /// Returns the lines of a text, broken at spaces, or within words that are longer than a line; nil if there are
    /// more than `limit`.
    private static func wrapped(_ text: String, size: Int, isBold: Bool, room: Double, limit: Int) -> [String]? {
        func fits(_ line: some StringProtocol) -> Bool { SVGWriter.width(of: line, size: size, isBold: isBold) <= room }
        var lines: [String] = []
        var rest = text[...]
        while !fits(rest) {
            guard lines.count < limit - 1 else { return nil }
            var end = rest.endIndex
            while end > rest.startIndex, !fits(rest[..<end]) { end = rest.index(before: end) }
            let spaces = rest[..<end].indices.filter { rest[$0] == " " && $0 > rest.startIndex }
            // The parts of a title are separated by middle dots.
            end = spaces.last { rest[..<$0].hasSuffix(" ·") } ?? spaces.last ?? end
            lines.append(String(rest[..<end]))
            rest = rest[end...].drop { $0 == " " }
        }
        return lines + [String(rest)]
    }
}
