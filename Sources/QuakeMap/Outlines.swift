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
        var west: Double
        var east: Double

        /// Whether the line goes around a pole and so ends 360° from its start.
        var circlesPole: Bool { !isClosed && east - west > 359 }
    }

    /// The level of detail, for map scales of 1:110 million, 1:50 million and 1:10 million.
    enum Detail {
        case coarse, fine, near
    }

    var coastlines: [Line] = []
    var borders: [Line] = []
    /// The plate boundaries; only in the fine outlines.
    var plateBoundaries: [Line] = []
    /// The lines between the states of large countries; only in the fine outlines.
    var stateLines: [Line] = []

    init(_ detail: Detail) { self.init(packed: Outlines.packedText(detail)) }

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

    init(packed text: UnsafeBufferPointer<UInt8>) {
        var reader = PackedReader(text)
        let steps = Double(reader.next())
        let layers = reader.next()
        var x = 0
        var y = 0
        for layer in 0..<layers {
            let lines = (0..<reader.next()).map { _ in
                let header = reader.next()
                var line = Line(points: [], isClosed: header & 1 == 1, west: .infinity, east: -.infinity)
                line.points.reserveCapacity(header >> 1)
                for _ in 0..<header >> 1 {
                    x += reader.nextSigned()
                    y += reader.nextSigned()
                    let longitude = Double(x) / steps
                    line.points.append((longitude, Double(y) / steps))
                    line.west = min(line.west, longitude)
                    line.east = max(line.east, longitude)
                }
                return line
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
    /// Returns the multiples of 360° that shift this line into `bounds`.
    func turns(in bounds: MapBounds) -> [Double] {
        [-720, -360, 0, 360, 720].filter { west + $0 <= bounds.east && east + $0 >= bounds.west }
    }
}
