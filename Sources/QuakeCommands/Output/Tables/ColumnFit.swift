import QuakeModel

/// Fits columns into a terminal: they shrink in the order of their ranks, then the rightmost are left out.
package struct ColumnFit {
    package struct Column {
        /// The width that it has where there is room.
        var width: Int
        /// The width below which it says nothing any more.
        var leastWidth: Int
        /// The columns with the lowest rank shrink first.
        var rank = 0
        /// Left out only after all others.
        var isEssential = false
        /// What people need to ask for more, such as an id: it stays if that costs at most one other column.
        var isHandle = false
    }

    /// The spaces between two columns.
    static let gap = 2

    /// The indices of the columns that are shown, and their widths.
    private(set) var shown: [(index: Int, width: Int)]
    private(set) var omitted: [Int] = []
    /// The columns of the terminal that the table leaves free; unlimited without a terminal.
    private(set) var slack: Int

    /// Fits `columns` into `room` columns of a terminal; nil leaves them as they are.
    init(_ columns: [Column], room: Int?) {
        self.init(columns, room: room, without: nil)
        guard omitted.count > 1, let handle = columns.firstIndex(where: \.isHandle), !omitted.contains(handle) else {
            return
        }
        self.init(columns, room: room, without: handle)
    }

    private init(_ columns: [Column], room: Int?, without handle: Int?) {
        shown = columns.indices.filter { $0 != handle }.map { ($0, columns[$0].width) }
        omitted = handle.map { [$0] } ?? []
        slack = .max
        guard let room else { return }
        while shrink(columns, by: width - room) > 0, shown.count > 1 {
            let rightmost =
                shown.lastIndex { !columns[$0.index].isEssential && !columns[$0.index].isHandle } ?? shown.count - 1
            omitted.append(shown.remove(at: rightmost).index)
            shown = shown.map { ($0.index, columns[$0.index].width) }
        }
        omitted.sort()
        slack = max(0, room - width)
    }

    /// Lets the last column take what the others leave: its width becomes the least, and the rest is slack.
    mutating func freeLast(of columns: [Column]) {
        guard let last = shown.indices.last, slack < .max else { return }
        let least = min(shown[last].width, columns[shown[last].index].leastWidth)
        slack += shown[last].width - least
        shown[last].width = least
    }

    private var width: Int { shown.reduce(-Self.gap) { $0 + $1.width + Self.gap } }

    /// Shrinks columns until `excess` columns are gained. Returns how many are missing.
    private mutating func shrink(_ columns: [Column], by excess: Int) -> Int {
        var excess = excess
        for place in shown.indices.sorted(by: { columns[shown[$0].index].rank < columns[shown[$1].index].rank })
        where excess > 0 {
            let gain = min(excess, max(0, shown[place].width - columns[shown[place].index].leastWidth))
            shown[place].width -= gain
            excess -= gain
        }
        return excess
    }
}

extension ColumnFit {
    /// Columns as wide as the widest of their cells in `rows`.
    package init(rows: [[String]]) {
        let columns = rows.first?.indices.map { index in
            let width = rows.map { DisplayWidth.columns(of: $0[index]) }.max() ?? 0
            return Column(width: width, leastWidth: width)
        }
        self.init(columns ?? [], room: nil)
    }

    /// A line of `cells` in the columns that are shown, cut to them where `isCut`; those of `numbers` are
    /// right-aligned.
    package func line(_ cells: [String], isCut: Bool = false, numbers: Set<Int> = []) -> String {
        let texts = shown.map { index, width in
            let safe = TerminalText.sanitized(cells[index])
            let text = isCut ? DisplayWidth.fitted(safe, columns: width) : safe
            return text.padded(to: width, isNumber: numbers.contains(index))
        }
        return texts.joined(separator: String(repeating: " ", count: Self.gap)).withoutSpacesAtEnd
    }
}

extension String {
    /// The text with spaces after it, or before a number, up to `width` columns; unchanged if it is wider.
    func padded(to width: Int, isNumber: Bool = false) -> String {
        let space = String(repeating: " ", count: max(0, width - DisplayWidth.columns(of: self)))
        return isNumber ? space + self : self + space
    }

    var withoutSpacesAtEnd: String { lastIndex { $0 != " " }.map { String(self[...$0]) } ?? "" }
}
