import Glibc
public import QuakeModel

/// The part of the Earth that a map shows. Longitudes continue beyond 180°, so east is always to the right of west.
public struct MapBounds: Hashable, Sendable {
    /// The longitude of the western edge, from -180 up to but not including 180.
    public private(set) var west: Double
    /// The longitude of the eastern edge, at most 360 more than `west`.
    public private(set) var east: Double
    /// The latitude of the southern edge, in degrees north.
    public private(set) var south: Double
    /// The latitude of the northern edge, in degrees north.
    public private(set) var north: Double

    /// The whole world, cut in the Atlantic at 32° W so that the quakes around the Pacific stay together, as do those
    /// near Iceland, the Azores and the South Sandwich Islands. It ends at 60° S, without Antarctica, and at 78° N,
    /// because few quakes occur beyond.
    public static let world = MapBounds(west: -32, width: 360, south: -60, north: 78)

    /// Creates the bounds of a box, which crosses the 180th meridian if its west edge is east of its east edge.
    public init(_ box: BoundingBox) {
        let width = box.crossesDateLine ? box.east - box.west + 360 : box.east - box.west
        self.init(west: box.west, width: width, south: box.south, north: box.north)
    }

    /// Creates the bounds of a circle around `point`, with a margin of a tenth of the radius.
    public init(around point: GeographicPoint, radiusKilometers: Double) {
        let degrees = min(radiusKilometers * 1.1 / 111.195, 90)
        // Near a pole, the circle covers all longitudes.
        let narrowest = cos(min(abs(point.latitude) + degrees, 90) * .pi / 180)
        let half = min(degrees / max(narrowest, 0.01), 180)
        self.init(
            west: point.longitude - half, width: 2 * half, south: max(point.latitude - degrees, -90),
            north: min(point.latitude + degrees, 90))
    }

    init(west: Double, width: Double, south: Double, north: Double) {
        self.west = MapBounds.wrapped(west, from: -180)
        self.east = self.west + min(max(width, MapBounds.minimumSpan), 360)
        let middle = (south + north) / 2
        let half = max(north - south, MapBounds.minimumSpan) / 2
        self.south = max(middle - half, -90)
        self.north = min(middle + half, 90)
    }

    /// The smallest span of a map, in degrees, because the outlines are too coarse for smaller spans.
    private static let minimumSpan = 0.5
    /// The margin on each side: a share of the data's span, but at least this many degrees.
    static let margin = (share: 0.08, degrees: 0.5)
    /// The smallest gap in longitude, in degrees, that the map may leave out instead of showing the whole world.
    static let minimumGap = 90.0

    /// Creates bounds around `points`, with a margin. They use the shortest arc of longitudes that contains all points,
    /// and may cross any meridian. The result is the whole world if there are no points or they surround the globe.
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
        guard gap.width > MapBounds.minimumGap else {
            self = MapBounds.world.including(latitudes: south...north)
            return
        }
        let width = 360 - gap.width
        let tall = max((north - south) * MapBounds.margin.share, MapBounds.margin.degrees)
        let wide = max(width * MapBounds.margin.share, MapBounds.margin.degrees)
        self.init(
            west: gap.start + gap.width - wide, width: width + 2 * wide, south: max(south - tall, -90),
            north: min(north + tall, 90))
    }

    /// Returns these bounds, extended to latitudes that they do not contain, with a margin.
    func including(latitudes: ClosedRange<Double>) -> MapBounds {
        var result = self
        result.south = min(south, max(latitudes.lowerBound - MapBounds.margin.degrees, -90))
        result.north = max(north, min(latitudes.upperBound + MapBounds.margin.degrees, 90))
        return result
    }

    /// Returns the part of these bounds north of a latitude; nil if there is none.
    func north(of latitude: Double) -> MapBounds? {
        var result = self
        result.south = max(south, latitude)
        return result.south < north ? result : nil
    }

    /// The width and height as drawn, in degrees of longitude.
    var size: (width: Double, height: Double) {
        (east - west, MapProjection.height(ofLatitude: north) - MapProjection.height(ofLatitude: south))
    }

    /// Returns these bounds, extended to `aspect` (width divided by height) but never to more than the world.
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
            // The ice of Antarctica is not worth its space if the map can grow to the north instead.
            let lowest = south < MapBounds.world.south ? -pole : MapProjection.height(ofLatitude: MapBounds.world.south)
            let bottom = min(max(middle - height / 2, lowest), pole - height)
            result.south = MapProjection.latitude(atHeight: bottom)
            result.north = MapProjection.latitude(atHeight: bottom + height)
        }
        return result
    }

    /// Returns whether the point lies inside the bounds or on their edges.
    func contains(_ point: GeographicPoint) -> Bool {
        (south...north).contains(point.latitude) && MapBounds.wrapped(point.longitude, from: west) <= east
    }

    /// Returns the equivalent of `longitude` in the 360° starting at `start`.
    static func wrapped(_ longitude: Double, from start: Double) -> Double {
        let turns = ((longitude - start) / 360).rounded(.down)
        return longitude - turns * 360
    }
}
