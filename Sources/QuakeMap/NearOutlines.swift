/// Land and borders of a small region, clipped to it and more detailed than those of the world.
struct NearOutlines {
    /// The clipping box: the bounds of the map, extended to the shape of a window.
    let box: MapBounds
    /// Closed and open lines, each as its first point and the differences between points, in fractions of a degree.
    let land, borders: [[Int]]

    static let stepsPerDegree = 440.0
    /// The maximum width of a map, in degrees, at which the finer lines are visible.
    private static let widest = 30.0

    /// Nil for a map of a larger region or of Antarctica.
    init?(_ bounds: MapBounds) {
        let box = bounds.filling(aspect: 1.5)
        guard bounds.east - bounds.west <= Self.widest, box.south > -60 else { return nil }
        // Slightly larger than the box, so that the cut edges of areas lie outside it.
        let clip = ClipRectangle(
            left: box.west - 0.1, top: box.south - 0.1, right: box.east + 0.1, bottom: box.north + 0.1)
        func steps(_ lines: [Outlines.Line], _ clip: ([ClipRectangle.Point]) -> [[ClipRectangle.Point]]) -> [[Int]] {
            let parts = lines.flatMap { line in
                line.turns(in: box).flatMap { turn in clip(line.points.map { ($0.longitude + turn, $0.latitude) }) }
            }
            return parts.filter { !$0.isEmpty }.map { points in
                let whole = points.map { [$0.x, $0.y].map { Int(($0 * Self.stepsPerDegree).rounded()) } }
                return zip(whole, [[0, 0]] + whole).flatMap { [$0[0] - $1[0], $0[1] - $1[1]] }
            }
        }
        let outlines = Outlines(.near)
        self.box = box
        land = steps(outlines.coastlines) { [clip.area($0)] }
        borders = steps(outlines.borders) { clip.pieces($0) }
    }
}
