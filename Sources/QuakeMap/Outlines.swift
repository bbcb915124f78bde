import QuakeFiles

/// Coastlines, borders, plate boundaries and state lines, unpacked from the output of `Scripts/pack-outlines`, which
/// documents the format and the sources.
struct Outlines {
    /// A line. Its longitudes continue beyond 180° instead of jumping at the meridian.
    struct Line {
        var points: [(longitude: Double, latitude: Double)]
        /// Whether the last point is joined to the first.
        var isClosed: Bool
        /// The westernmost and easternmost longitudes.
        var west = Double.infinity
        var east = -Double.infinity
        /// The southernmost and northernmost latitudes.
        var south = Double.infinity
        var north = -Double.infinity

        /// Whether the line goes around a pole and so ends 360° from its start.
        var circlesPole: Bool { !isClosed && east - west > 359 }
    }

    /// The level of detail, for map scales of 1:110 million, 1:50 million and 1:10 million.
    enum Detail {
        case coarse, fine, near
    }

    /// The southern edge of the near outlines, which do not contain Antarctica.
    static let nearSouthEdge = -60.0

    var coastlines: [Line] = []
    var borders: [Line] = []
    /// The plate boundaries; only in the fine outlines.
    var plateBoundaries: [Line] = []
    /// The lines between the states of large countries; only in the fine outlines.
    var stateLines: [Line] = []

    /// Unpacks the lines that reach into `bounds`, or all lines.
    init(_ detail: Detail, in bounds: MapBounds? = nil) {
        self.init(packed: Outlines.packedText(detail)) { line in
            bounds.map { !line.longitudeShifts(in: $0).isEmpty } ?? true
        }
    }

    /// Returns the packed text for a level of detail, as embedded in a page.
    static func packedText(_ detail: Detail) -> UnsafeBufferPointer<UInt8> {
        let file =
            switch detail {
            case .coarse: quakeMapOutlines110m()
            case .fine: quakeMapOutlines50m()
            case .near: quakeMapOutlines10m()
            }
        return UnsafeBufferPointer(start: file.bytes, count: file.count)
    }

    init(packed text: UnsafeBufferPointer<UInt8>, where isWanted: (Line) -> Bool = { _ in true }) {
        var reader = PackedReader(text)
        let steps = Double(reader.next())
        let layers = reader.next()
        var x = 0
        var y = 0
        for layer in 0..<layers {
            let lines = (0..<reader.next()).compactMap { _ in
                let header = reader.next()
                var line = Line(points: [], isClosed: header & 1 == 1)
                line.points.reserveCapacity(header >> 1)
                for _ in 0..<header >> 1 {
                    x += reader.nextSigned()
                    y += reader.nextSigned()
                    line.append((Double(x) / steps, Double(y) / steps))
                }
                return isWanted(line) ? line : nil
            }
            switch layer {
            case 0: coastlines = lines
            case 1: borders = lines
            case 2: plateBoundaries = lines
            default: stateLines = lines
            }
        }
    }
}

extension Outlines.Line {
    fileprivate mutating func append(_ point: (longitude: Double, latitude: Double)) {
        points.append(point)
        west = min(west, point.longitude)
        east = max(east, point.longitude)
        south = min(south, point.latitude)
        north = max(north, point.latitude)
    }

    /// Returns the multiples of 360° that shift this line into `bounds`.
    func longitudeShifts(in bounds: MapBounds) -> [Double] {
        // The land within a line around a pole extends to the pole.
        guard circlesPole || (north >= bounds.south && south <= bounds.north) else { return [] }
        return [-720, -360, 0, 360, 720].filter { west + $0 <= bounds.east && east + $0 >= bounds.west }
    }

    /// Whether the line is a ring that ends at the 180th meridian, although the land continues.
    var isCut: Bool { isClosed && (west == -180 || east == 180) }

    /// The coasts of a ring: its parts that do not run along the 180th meridian.
    var coasts: [Outlines.Line] {
        var coasts = [Outlines.Line(points: [], isClosed: false)]
        var previous: Double?
        for point in points + points.prefix(1) {
            if let previous, abs(previous) == 180, previous == point.longitude {
                coasts.append(Outlines.Line(points: [], isClosed: false))
            }
            coasts[coasts.count - 1].append(point)
            previous = point.longitude
        }
        return coasts
    }
}
