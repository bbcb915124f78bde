import Glibc
import QuakeModel

/// A grid of cells over a map. It records for each cell how much quakes cover the cell, and whether the cell is land.
struct OccupancyGrid {
    /// The width and height of a cell in pixels.
    private static let size = 8.0
    /// The maximum contribution of one cell to ``extent(in:)``, in pixels.
    private static let maximumExtent = 12.0

    private let columns: Int
    private let rows: Int
    /// The sum of the radii of the circles that touch each cell, in pixels.
    private var covered: [Double]
    private var isLand: [Bool]

    init(_ window: MapWindow) {
        columns = Int(window.width / OccupancyGrid.size) + 1
        rows = Int(window.height / OccupancyGrid.size) + 1
        covered = Array(repeating: 0, count: columns * rows)
        isLand = Array(repeating: false, count: columns * rows)
    }

    /// Adds a quake with a circle of radius `reach`.
    mutating func add(x: Double, y: Double, reach: Double) {
        for cell in cells(in: ClipRectangle(left: x - reach, top: y - reach, right: x + reach, bottom: y + reach)) {
            covered[cell] += reach
        }
    }

    /// Returns how much of a rectangle quakes cover: the sum, over the cells, of the radii of the circles that touch a
    /// cell, at most ``maximumExtent`` per cell.
    func extent(in box: ClipRectangle) -> Double {
        cells(in: box).reduce(0) { $0 + min(covered[$1], OccupancyGrid.maximumExtent) }
    }

    /// Returns the number of cells in a rectangle that are land.
    func land(in box: ClipRectangle) -> Double { Double(cells(in: box).count { isLand[$0] }) }

    private func cells(in box: ClipRectangle) -> [Int] {
        let row = { (y: Double) in min(max(Int((y / OccupancyGrid.size).rounded(.down)), 0), rows - 1) }
        let column = { (x: Double) in min(max(Int((x / OccupancyGrid.size).rounded(.down)), 0), columns - 1) }
        return (row(box.top)...row(box.bottom)).flatMap { row in
            (column(box.left)...column(box.right)).map { row * columns + $0 }
        }
    }

    /// Marks the cells whose middle lies inside an odd number of coastlines.
    mutating func markLand(_ coastlines: [Outlines.Line], _ window: MapWindow) {
        var crossings = Array(repeating: [Double](), count: rows)
        for line in coastlines where line.isClosed || line.circlesPole {
            for turn in line.longitudeShifts(in: window.bounds) {
                var points = line.points.map { (x: window.x(of: $0.longitude + turn), y: window.y(of: $0.latitude)) }
                if line.circlesPole, let first = points.first, let last = points.last {
                    let pole = window.y(of: line.points[0].latitude < 0 ? -90 : 90)
                    points += [(last.x, pole), (first.x, pole)]
                }
                for (one, other) in zip(points, points.dropFirst() + points.prefix(1)) {
                    addCrossings(of: one, other, to: &crossings)
                }
            }
        }
        for (row, places) in crossings.enumerated() {
            let places = places.sorted()
            for (west, east) in zip(places, places.dropFirst()).enumerated().filter({ $0.offset.isMultiple(of: 2) })
                .map(\.element)
            {
                let first = max(Int((west - 0.5).rounded(.up)), 0)
                let last = min(Int((east - 0.5).rounded(.down)), columns - 1)
                if first <= last { for column in first...last { isLand[row * columns + column] = true } }
            }
        }
    }

    /// Adds the positions, in cells from the left, at which a side of an area crosses the middle of each row.
    private func addCrossings(of one: ClipRectangle.Point, _ other: ClipRectangle.Point, to crossings: inout [[Double]])
    {
        let (top, bottom) = one.y < other.y ? (one, other) : (other, one)
        let first = max((top.y / OccupancyGrid.size - 0.5).rounded(.up), 0)
        let end = min((bottom.y / OccupancyGrid.size - 0.5).rounded(.up), Double(rows))
        guard first < end else { return }
        for row in Int(first)..<Int(end) {
            let share = ((Double(row) + 0.5) * OccupancyGrid.size - top.y) / (bottom.y - top.y)
            crossings[row].append((top.x + share * (bottom.x - top.x)) / OccupancyGrid.size)
        }
    }
}
