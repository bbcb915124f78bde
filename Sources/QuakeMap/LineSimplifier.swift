/// Simplifies lines by removing points that make no visible difference at a map's scale.
enum LineSimplifier {
    /// Returns the points that keep the line within `tolerance` of the original (Douglas and Peucker, 1973).
    static func simplified(_ points: [ClipRectangle.Point], tolerance: Double) -> [ClipRectangle.Point] {
        guard points.count > 2, tolerance > 0 else { return points }
        var isKept = Array(repeating: false, count: points.count)
        isKept[0] = true
        isKept[points.count - 1] = true
        var spans = [(first: 0, last: points.count - 1)]
        while let (first, last) = spans.popLast() {
            var farthest = (index: first, square: tolerance * tolerance)
            for index in first + 1..<max(last, first + 1) {
                let square = squaredDistance(from: points[index], to: points[first], points[last])
                if square > farthest.square { farthest = (index, square) }
            }
            guard farthest.index > first else { continue }
            isKept[farthest.index] = true
            spans += [(first, farthest.index), (farthest.index, last)]
        }
        return points.indices.filter { isKept[$0] }.map { points[$0] }
    }

    /// Returns the square of the distance from a point to a segment.
    private static func squaredDistance(
        from point: ClipRectangle.Point, to start: ClipRectangle.Point, _ end: ClipRectangle.Point
    ) -> Double {
        let step = (x: end.x - start.x, y: end.y - start.y)
        let offset = (x: point.x - start.x, y: point.y - start.y)
        let length = step.x * step.x + step.y * step.y
        let along = length == 0 ? 0 : min(max((offset.x * step.x + offset.y * step.y) / length, 0), 1)
        let across = (x: offset.x - along * step.x, y: offset.y - along * step.y)
        return across.x * across.x + across.y * across.y
    }
}
