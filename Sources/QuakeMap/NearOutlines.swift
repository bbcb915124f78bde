import QuakeModel

/// Land and borders at 1:10 million for the parts of a page's map that readers enlarge: all of a map of a region, or
/// the surroundings of quakes on a map of the world.
struct NearOutlines {
    /// A part of the map in which the near outlines replace the others.
    struct Box {
        var bounds: MapBounds
        /// The land as rings and the borders as lines, in the format of `Scripts/pack-outlines`.
        var packed: String

        init(_ bounds: MapBounds, land: [[ClipRectangle.Point]], borders: [[ClipRectangle.Point]]) {
            self.bounds = bounds
            var writer = PackedWriter()
            writer.append(Int(NearOutlines.stepsPerDegree))
            writer.append(2)
            var last = (x: 0, y: 0)
            for (lines, isClosed) in [(land, 1), (borders, 0)] {
                writer.append(lines.count)
                for line in lines {
                    writer.append(line.count * 2 + isClosed)
                    for point in line {
                        let x = Int((point.x * NearOutlines.stepsPerDegree).rounded())
                        let y = Int((point.y * NearOutlines.stepsPerDegree).rounded())
                        writer.append(signed: x - last.x)
                        writer.append(signed: y - last.y)
                        last = (x, y)
                    }
                }
            }
            packed = writer.text
        }
    }

    let boxes: [Box]
    /// The bounds of the only box, if it is so small that the page lists the cities in it.
    let smallRegion: MapBounds?

    static let stepsPerDegree = 440.0
    /// The maximum width of a map of a region, in degrees.
    private static let maximumRegionWidth = 60.0
    /// The maximum width of a map of a small region, in degrees.
    private static let maximumSmallRegionWidth = 30.0
    /// The degrees by which outlines reach beyond their box, so that the cut edges of areas are not visible.
    private static let margin = 0.05

    init(_ content: MapContent) {
        let bounds = content.bounds
        let width = bounds.east - bounds.west
        let isRegion = width <= NearOutlines.maximumRegionWidth
        boxes =
            isRegion ? [NearOutlines.region(bounds)].compactMap(\.self) : NearOutlines.surroundings(of: content.quakes)
        smallRegion = width <= NearOutlines.maximumSmallRegionWidth ? boxes.first?.bounds : nil
    }

    /// Returns the outlines of a region that is extended to the shape of a window. A wide region has fewer points.
    private static func region(_ bounds: MapBounds) -> Box? {
        guard let box = bounds.filling(aspect: 1.5).north(of: Outlines.nearSouthEdge) else { return nil }
        let clip = ClipRectangle(box, margin: margin)
        let tolerance = max(bounds.east - bounds.west - 10, 0) / 12_000
        let outlines = Outlines(.near, in: box)
        func lines(_ lines: [Outlines.Line]) -> [[ClipRectangle.Point]] {
            lines.flatMap { line in
                line.longitudeShifts(in: box).map { turn in
                    LineSimplifier.simplified(
                        line.points.map { ($0.longitude + turn, $0.latitude) }, tolerance: tolerance)
                }
            }
        }
        return Box(
            box, land: lines(outlines.coastlines).map(clip.clippedArea).filter { $0.count > 2 },
            borders: lines(outlines.borders).flatMap(clip.clippedPieces))
    }

    /// Returns cells near quakes, until a budget of bytes is spent. Cells with the most and largest quakes per byte
    /// come first.
    private static func surroundings(of quakes: [Quake]) -> [Box] {
        var cells = OutlineCells(quakes, margin: margin)
        let outlines = Outlines(.near)
        cells.divide(
            land: outlines.coastlines.map { $0.points.map { ($0.longitude, $0.latitude) } },
            borders: outlines.borders.map { $0.points.map { ($0.longitude, $0.latitude) } })
        let boxes = cells.parts.map { (value: $0.weight, box: Box($0.bounds, land: $0.land, borders: $0.borders)) }
        var budget = min(24_000 + 10 * quakes.count, 100_000)
        // The bounds of a box take about 25 bytes.
        return boxes.map { (benefit: $0.value / Double($0.box.packed.utf8.count + 25), box: $0.box) }
            .sorted { $0.benefit > $1.benefit }
            .prefix { _, box in
                budget -= box.packed.utf8.count + 25
                return budget >= 0
            }
            .map(\.box)
    }
}
