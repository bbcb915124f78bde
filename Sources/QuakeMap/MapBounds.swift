import Glibc
public import QuakeModel

/// The part of the Earth a map shows. Longitudes continue beyond 180°, so east is always to the right of west.
public struct MapBounds: Hashable, Sendable {
    /// Degrees east of the western edge, -180 up to but not including 180.
    public private(set) var west: Double
    /// Degrees east of the eastern edge, at most 360 more than `west`.
    public private(set) var east: Double
    /// Degrees north of the southern edge.
    public private(set) var south: Double
    /// Degrees north of the northern edge.
    public private(set) var north: Double

    /// The whole world, cut in the Atlantic at 32° W: the belt of quakes around the Pacific stays in one piece, and so
    /// do the quakes of Iceland, the Azores and the South Sandwich Islands. Cut at 66° S and 78° N, where land without
    /// quakes begins.
    public static let world = MapBounds(west: -32, width: 360, south: -66, north: 78)

    /// The bounds of a rectangle; one whose west lies east of its east crosses the 180th meridian.
    public init(_ box: BoundingBox) {
        let width = box.crossesDateLine ? box.east - box.west + 360 : box.east - box.west
        self.init(west: box.west, width: width, south: box.south, north: box.north)
    }

    /// The bounds of a circle of that many kilometers around `point`, with a margin of a tenth.
    init(around point: GeographicPoint, radiusKilometers: Double) {
        let degrees = min(radiusKilometers * 1.1 / 111.195, 90)
        // Near a pole the circle holds every meridian.
        let narrowest = cos(min(abs(point.latitude) + degrees, 90) * .pi / 180)
        let half = min(degrees / max(narrowest, 0.01), 180)
        self.init(
            west: point.longitude - half, width: 2 * half, south: max(point.latitude - degrees, -90),
            north: min(point.latitude + degrees, 90))
    }

    private init(west: Double, width: Double, south: Double, north: Double) {
        self.west = MapBounds.wrapped(west, from: -180)
        self.east = self.west + min(max(width, MapBounds.leastSpan), 360)
        let middle = (south + north) / 2
        let half = max(north - south, MapBounds.leastSpan) / 2
        self.south = max(middle - half, -90)
        self.north = min(middle + half, 90)
    }

    /// The narrowest map, in degrees: outlines are too coarse for less.
    private static let leastSpan = 0.5
    /// How much of the span of the data lies around it on each side, and at least how many degrees.
    private static let margin = (share: 0.08, degrees: 0.5)
    /// Data that leaves a gap narrower than this, in degrees, is shown on a map of the whole world.
    private static let narrowestGap = 90.0

    /// The bounds around `points` with a margin: the shortest arc of longitudes that holds them all, whichever
    /// meridian it crosses. Points all around the world, and no points, give the world.
    public init(fitting points: some Collection<GeographicPoint>) {
        let longitudes = points.map { MapBounds.wrapped($0.longitude, from: -180) }.sorted()
        guard let first = longitudes.first, let last = longitudes.last,
            let south = points.lazy.map(\.latitude).min(), let north = points.lazy.map(\.latitude).max()
        else {
            self = .world
            return
        }
        var gap = (start: last, width: first + 360 - last)
        for (left, right) in zip(longitudes, longitudes.dropFirst()) where right - left > gap.width {
            gap = (left, right - left)
        }
        guard gap.width > MapBounds.narrowestGap else {
            self = MapBounds.world
            self.south = min(self.south, max(south - MapBounds.margin.degrees, -90))
            self.north = max(self.north, min(north + MapBounds.margin.degrees, 90))
            return
        }
        let width = 360 - gap.width
        let tall = max((north - south) * MapBounds.margin.share, MapBounds.margin.degrees)
        let wide = max(width * MapBounds.margin.share, MapBounds.margin.degrees)
        self.init(
            west: gap.start + gap.width - wide, width: width + 2 * wide, south: max(south - tall, -90),
            north: min(north + tall, 90))
    }

    /// Width and height as drawn, in degrees of longitude.
    var size: (width: Double, height: Double) {
        (east - west, MapProjection.height(ofLatitude: north) - MapProjection.height(ofLatitude: south))
    }

    /// These bounds with as much around them as a picture of `aspect` (width by height) shows; never the world twice.
    func filling(aspect: Double) -> MapBounds {
        var (width, height) = size
        var result = self
        if width < height * aspect {
            width = min(height * aspect, 360)
            let middle = (west + east) / 2
            result.west = MapBounds.wrapped(middle - width / 2, from: -180)
            result.east = result.west + width
        } else {
            height = min(width / aspect, 2 * MapProjection.height(ofLatitude: 90))
            let pole = MapProjection.height(ofLatitude: 90)
            let middle = (MapProjection.height(ofLatitude: south) + MapProjection.height(ofLatitude: north)) / 2
            let bottom = min(max(middle - height / 2, -pole), pole - height)
            result.south = MapProjection.latitude(atHeight: bottom)
            result.north = MapProjection.latitude(atHeight: bottom + height)
        }
        return result
    }

    /// Whether the point lies inside, edges included.
    func contains(_ point: GeographicPoint) -> Bool {
        (south...north).contains(point.latitude) && MapBounds.wrapped(point.longitude, from: west) <= east
    }

    /// `longitude` as the one of its names that lies in the 360° from `start` on.
    static func wrapped(_ longitude: Double, from start: Double) -> Double {
        let turns = ((longitude - start) / 360).rounded(.down)
        return longitude - turns * 360
    }
}
