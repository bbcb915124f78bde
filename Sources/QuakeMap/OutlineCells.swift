import Glibc
import QuakeModel

/// Divides land and borders into cells of two degrees, and keeps the cells with a coast or a border that are within a
/// degree of a quake.
struct OutlineCells {
    /// A cell that contains a coast or a border.
    struct Part {
        var bounds: MapBounds
        var land: [[ClipRectangle.Point]]
        var borders: [[ClipRectangle.Point]]
        /// The sum of 2^magnitude over the quakes near the cell.
        var weight: Double
    }

    private(set) var parts: [Part] = []
    private let weights: [Cell: Double]
    private let margin: Double

    private struct Cell: Hashable {
        var column: Int
        var row: Int
    }

    /// A rectangle of cells.
    private struct Block {
        var columns: Range<Int>
        var rows: Range<Int>

        static let size = 2.0
        /// All cells north of 60° S.
        static let world = Block(columns: -90..<90, rows: Int(Outlines.nearSouthEdge / size)..<45)

        var bounds: MapBounds {
            MapBounds(
                west: Double(columns.lowerBound) * Block.size, width: Double(columns.count) * Block.size,
                south: Double(rows.lowerBound) * Block.size, north: Double(rows.upperBound) * Block.size)
        }

        var halves: [Block] {
            func halved(_ range: Range<Int>) -> [Range<Int>] {
                let middle = (range.lowerBound + range.upperBound) / 2
                return [range.lowerBound..<middle, middle..<range.upperBound]
            }
            return columns.count >= rows.count
                ? halved(columns).map { Block(columns: $0, rows: rows) }
                : halved(rows).map { Block(columns: columns, rows: $0) }
        }

        func contains(_ cell: Cell) -> Bool { columns.contains(cell.column) && rows.contains(cell.row) }
    }

    /// Rates the cells by the quakes near them. The outlines of a cell reach `margin` degrees beyond its bounds.
    init(_ quakes: [Quake], margin: Double) {
        var values: [Cell: Double] = [:]
        for quake in quakes {
            // The square of two degrees around the epicenter touches at most four cells.
            for (east, north) in [(-1.0, -1.0), (-1, 1), (1, -1), (1, 1)] {
                let longitude = MapBounds.wrapped(quake.hypocenter.longitude + east, from: -180)
                let cell = Cell(
                    column: Int((longitude / Block.size).rounded(.down)),
                    row: Int(((quake.hypocenter.latitude + north) / Block.size).rounded(.down)))
                values[cell, default: 0] += exp2(quake.magnitude ?? 0)
            }
        }
        self.weights = values
        self.margin = margin
    }

    mutating func divide(land: [[ClipRectangle.Point]], borders: [[ClipRectangle.Point]]) {
        divide(.world, Array(weights.keys), land, borders)
    }

    /// Divides a block into halves, down to single cells, leaving out halves without quakes.
    private mutating func divide(
        _ block: Block, _ cells: [Cell], _ land: [[ClipRectangle.Point]], _ borders: [[ClipRectangle.Point]]
    ) {
        for half in block.halves {
            let inside = cells.filter(half.contains)
            if inside.isEmpty { continue }
            let clip = ClipRectangle(half.bounds, margin: margin)
            let land = land.map(clip.clippedArea).filter { $0.count > 2 }
            let borders = borders.flatMap(clip.clippedPieces)
            // Without a coast or a border, a cell looks the same as on a map of the world.
            guard !borders.isEmpty || land.contains(where: { $0.count > 4 }) else { continue }
            if half.columns.count > 1 || half.rows.count > 1 {
                divide(half, inside, land, borders)
            } else {
                parts.append(
                    Part(bounds: half.bounds, land: land, borders: borders, weight: weights[inside[0]] ?? 0))
            }
        }
    }
}
