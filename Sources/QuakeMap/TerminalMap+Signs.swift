import QuakeModel

extension TerminalMap {
    /// Returns a canvas with the outlines of the query's areas.
    func scopeCanvas(_ content: MapContent, _ window: MapWindow, _ canvas: DotCanvas) -> DotCanvas {
        var scope = DotCanvas(columns: canvas.columns, rows: canvas.rows)
        for points in content.scope.map(\.outline) {
            for (start, end) in zip(points, points.dropFirst() + points.prefix(1)) {
                for turn in [-360.0, 0, 360] {
                    scope.draw(
                        from: (window.x(of: start.longitude + turn), window.y(of: start.latitude)),
                        to: (window.x(of: end.longitude + turn), window.y(of: end.latitude)))
                }
            }
        }
        return scope
    }

    /// Adds the home, the centers of the query's circles, and the most important cities. Only the home and the centers
    /// may cover quakes, but never the described one (``MapContent/describedQuake``).
    func addSigns(of content: MapContent, _ window: MapWindow, _ canvas: DotCanvas, to cells: inout [Int: Cell]) {
        let described = content.describedQuake.flatMap { place($0.epicenter, window, canvas) }
        var names: Set<Int> = []
        let centers = content.centers.map { ($0.point, $0.name, usesUnicode ? "╋" : "#") }
        for (point, name, mark) in centers + (content.home.map { [($0, "home", usesUnicode ? "⌂" : "^")] } ?? []) {
            guard let place = place(point, window, canvas), described.map({ $0 != place }) ?? true else { continue }
            cells[place.row * canvas.columns + place.column] = Cell(character: Character(mark), style: "1;38;5;33")
            add(name, at: place, canvas, &names, to: &cells)
        }
        var left = columns < 60 ? 3 : 5
        for city in Places().cities {
            guard let place = place(city.point, window, canvas) else { continue }
            let index = place.row * canvas.columns + place.column
            guard cells[index] == nil, names.isDisjoint(with: [index - 1, index + 1]),
                add(city.name, at: place, canvas, &names, to: &cells)
            else { continue }
            cells[index] = Cell(character: usesUnicode ? "▫" : "*", style: nil)
            names.insert(index)
            left -= 1
            if left == 0 { return }
        }
    }

    /// Adds a name next to a cell if there is room, and the name's cells to `names`. Returns whether there was room.
    @discardableResult private func add(
        _ name: String, at place: (column: Int, row: Int), _ canvas: DotCanvas, _ names: inout Set<Int>,
        to cells: inout [Int: Cell]
    ) -> Bool {
        let text = fitted(name, 20)
        let letters = Array(text)
        // Names with letters that are wider than a cell are left out.
        guard !letters.isEmpty, DisplayWidth.columns(of: text) == letters.count else { return false }
        let (column, row) = place
        let middle = column - letters.count / 2
        for (start, row) in [(column + 1, row), (column - letters.count, row), (middle, row - 1), (middle, row + 1)]
        where (0..<canvas.rows).contains(row) && start >= 0 && start + letters.count <= canvas.columns {
            let first = row * canvas.columns + start
            let range = first..<first + letters.count
            guard range.allSatisfy({ cells[$0] == nil }), names.isDisjoint(with: (first - 1)...(range.upperBound))
            else {
                continue
            }
            for (index, letter) in zip(range, letters) { cells[index] = Cell(character: letter, style: nil) }
            names.formUnion(range)
            return true
        }
        return false
    }
}
