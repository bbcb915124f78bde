/// Clips lines and areas to a rectangle.
struct ClipRectangle {
    typealias Point = (x: Double, y: Double)
    var left: Double
    var top: Double
    var right: Double
    var bottom: Double

    init(left: Double, top: Double, right: Double, bottom: Double) {
        self.left = left
        self.top = top
        self.right = right
        self.bottom = bottom
    }

    /// Creates the rectangle of `bounds` in degrees, extended by a margin.
    init(_ bounds: MapBounds, margin: Double) {
        self.init(
            left: bounds.west - margin, top: bounds.south - margin, right: bounds.east + margin,
            bottom: bounds.north + margin)
    }

    /// Creates the smallest rectangle around `points`.
    private init(around points: [Point]) {
        self.init(left: .infinity, top: .infinity, right: -.infinity, bottom: -.infinity)
        for (x, y) in points {
            left = min(left, x)
            right = max(right, x)
            top = min(top, y)
            bottom = max(bottom, y)
        }
    }

    private func overlaps(_ other: ClipRectangle) -> Bool {
        other.left <= right && other.right >= left && other.top <= bottom && other.bottom >= top
    }

    /// Returns the part of a segment within the rectangle (Liang and Barsky, 1984); nil if there is none.
    func clippedSegment(_ start: Point, _ end: Point) -> (start: Point, end: Point)? {
        let step = (x: end.x - start.x, y: end.y - start.y)
        var from = 0.0
        var to = 1.0
        for (direction, distance) in [
            (-step.x, start.x - left), (step.x, right - start.x), (-step.y, start.y - top), (step.y, bottom - start.y),
        ] {
            if direction == 0 {
                if distance < 0 { return nil }
            } else if direction < 0 {
                from = max(from, distance / direction)
            } else {
                to = min(to, distance / direction)
            }
        }
        guard from <= to else { return nil }
        return (
            (start.x + from * step.x, start.y + from * step.y), (start.x + to * step.x, start.y + to * step.y)
        )
    }

    /// Returns the part of an area within the rectangle (Sutherland and Hodgman, 1974). Where the area leaves and
    /// reenters the rectangle, its new outline follows the edge.
    func clippedArea(_ points: [Point]) -> [Point] {
        let extent = ClipRectangle(around: points)
        guard overlaps(extent) else { return [] }
        var points = points
        if extent.left < left { points = cut(points, distance: { $0.x - left }) }
        if extent.right > right { points = cut(points, distance: { right - $0.x }) }
        if extent.top < top { points = cut(points, distance: { $0.y - top }) }
        if extent.bottom > bottom { points = cut(points, distance: { bottom - $0.y }) }
        return points
    }

    /// Returns the part of an area on the side of an edge where `distance` is not negative.
    private func cut(_ points: [Point], distance: (Point) -> Double) -> [Point] {
        guard var previous = points.last else { return [] }
        var kept: [Point] = []
        kept.reserveCapacity(points.count)
        var before = distance(previous)
        for point in points {
            let here = distance(point)
            if (before < 0) != (here < 0) {
                let share = before / (before - here)
                kept.append((previous.x + share * (point.x - previous.x), previous.y + share * (point.y - previous.y)))
            }
            if here >= 0 { kept.append(point) }
            previous = point
            before = here
        }
        return kept
    }

    /// Returns the pieces of a line within the rectangle.
    func clippedPieces(_ points: [Point]) -> [[Point]] {
        let extent = ClipRectangle(around: points)
        guard points.count > 1, overlaps(extent) else { return [] }
        if extent.left >= left, extent.right <= right, extent.top >= top, extent.bottom <= bottom { return [points] }
        var pieces: [[Point]] = []
        var piece: [Point] = []
        for (start, end) in zip(points, points.dropFirst()) {
            guard let part = clippedSegment(start, end) else { continue }
            if piece.last.map({ $0 == part.start }) != true {
                if piece.count > 1 { pieces.append(piece) }
                piece = [part.start]
            }
            piece.append(part.end)
        }
        if piece.count > 1 { pieces.append(piece) }
        return pieces
    }
}
