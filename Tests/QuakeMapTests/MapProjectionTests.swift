import Glibc
import QuakeModel
import Testing

@testable import QuakeMap

@Suite("The map projection") struct MapProjectionTests {
    @Test(
        "Converting a latitude to a y coordinate on the map and back returns the same latitude",
        arguments: [-90.0, -75, -60, -33.3, 0, 12.5, 59.99, 60, 60.01, 88, 90])
    func inverse(latitude: Double) {
        #expect(abs(MapProjection.latitude(atHeight: MapProjection.height(ofLatitude: latitude)) - latitude) < 1e-9)
    }

    @Test("Below 60° latitude, the map projection preserves shapes") func conformalBelowSeam() {
        // A degree of latitude is stretched by the same factor as a degree of longitude: 1 / cos φ.
        for latitude in [0.0, 20, 40, 59] {
            let step = MapProjection.height(ofLatitude: latitude + 0.001) - MapProjection.height(ofLatitude: latitude)
            #expect(abs(step / 0.001 * cosine(latitude) - 1) < 1e-3)
        }
    }

    @Test("The map projection puts the poles at a finite distance from the equator") func polesAreFinite() {
        #expect(MapProjection.height(ofLatitude: 90) < 136)
        #expect(MapProjection.height(ofLatitude: -90) == -MapProjection.height(ofLatitude: 90))
    }

    private func cosine(_ degrees: Double) -> Double {
        var (term, sum) = (1.0, 1.0)
        let radians = degrees * .pi / 180
        for step in 1...12 {
            term *= -radians * radians / Double((2 * step - 1) * 2 * step)
            sum += term
        }
        return sum
    }
}

@Suite("Bounds of a map") struct MapBoundsTests {
    private func point(_ latitude: Double, _ longitude: Double) -> GeographicPoint {
        GeographicPoint(latitude: latitude, longitude: longitude)
    }

    @Test("A map of points on both sides of the 180th meridian does not span the whole world") func pointsAcross180() {
        let bounds = MapBounds(fitting: [point(-20, 178), point(-22, -176), point(-18, -179)])
        #expect(bounds.west > 170 && bounds.east < 190)
        #expect(bounds.contains(point(-20, 179.9)) && bounds.contains(point(-20, -179.9)))
        #expect(!bounds.contains(point(-20, 0)))
    }

    @Test("Points all around the Earth result in a map of the whole world") func pointsAllAround() {
        #expect(MapBounds(fitting: stride(from: -180.0, to: 180, by: 40).map { point(0, $0) }) == .world)
    }

    @Test("A map of the world is extended to include quakes near the poles") func worldIncludesEveryQuake() {
        let points = stride(from: -180.0, to: 180, by: 40).map { point(0, $0) } + [point(86.5, 10), point(-72, 10)]
        #expect(points.allSatisfy(MapBounds(fitting: points).contains))
    }

    @Test("A map without points shows the whole world") func noPoints() {
        #expect(MapBounds(fitting: [GeographicPoint]()) == .world)
    }

    @Test("The map of a single point spans at least one degree") func onePoint() {
        let bounds = MapBounds(fitting: [point(35.7, -117.5)])
        #expect(bounds.east - bounds.west >= 1 && bounds.north - bounds.south >= 1)
    }

    private static let offshore: [(String, Double, Double)] = [
        ("mid-Pacific", 10, -150), ("East Pacific Rise", -35, -110), ("mid-Atlantic", 0, -25),
        ("Azores ridge", 45, -28),
        ("Southern Ocean", -57, -140), ("near 180° W", -40, -179.9), ("near 180° E", 35, 179.9),
        ("North Pole", 89.9, 20), ("Arctic", 86, 60), ("South Pole", -89.9, 20), ("Indian Ocean", -30, 75),
        ("Sahara", 23, 12),
    ]

    @Test("A map of a single quake spans 400 km or more and shows a coast or a city", arguments: offshore)
    func landmark(name: String, latitude: Double, longitude: Double) {
        let quake = point(latitude, longitude)
        let bounds = MapBounds(ofQuakesAt: [quake])
        #expect(bounds.contains(quake))
        #expect(Landmarks(width: bounds.east - bounds.west).isAny(in: bounds))
        let high = (bounds.north - bounds.south) * 111.195
        let narrowest = cos(max(abs(bounds.south), abs(bounds.north)) * .pi / 180)
        let wide = (bounds.east - bounds.west) * 111.195 * narrowest
        #expect(high >= 399 && (wide >= 399 * narrowest || bounds.east - bounds.west == 360), "\(name) \(high) \(wide)")
        #expect(bounds.east - bounds.west < 180 || abs(latitude) > 80)
    }

    @Test("A map of an area shows a coast or a city, and an area with one stays as it is") func areaReachesLandmark() {
        let bare = MapBounds(around: point(-57, -140), radiusKilometers: 30)
        let area = bare.reachingLandmark()
        #expect(area.contains(point(-57, -140)) && area.south < -70 && area.reachingLandmark() == area)
        let oahu = MapBounds(around: point(21.4, -157.9), radiusKilometers: 30)
        #expect(oahu.reachingLandmark() == oahu)
        #expect(MapContent(surroundingsOf: quake(latitude: -30)).bounds.contains(point(-30, 0)))
    }

    @Test("A map of several quakes spans at least 100 km, or 400 km far from coasts and cities") func severalQuakes() {
        let swarm = { (latitude: Double, longitude: Double) in
            MapBounds(ofQuakesAt: [self.point(latitude, longitude), self.point(latitude + 0.01, longitude + 0.01)])
        }
        let vik = swarm(63.4, -19)
        #expect((1...1.1).contains(vik.north - vik.south))
        #expect((vik.east - vik.west) * 111.195 * cos(63.9 * .pi / 180) > 85 && vik.east - vik.west < 3)
        let atlantic = swarm(0, -25)
        #expect((atlantic.north - atlantic.south) * 111.195 >= 399)
    }

    @Test("A map of the world shows Antarctica only if there are quakes") func antarctica() {
        #expect(MapBounds.world.south == -60)
        #expect(abs(MapBounds.world.filling(aspect: 1.75).south + 60) < 1e-9)
        #expect(MapBounds.world.filling(aspect: 1.75).north > 80)
        // Only where the world is not tall enough.
        #expect(MapBounds.world.filling(aspect: 1).south == -90)
        var content = MapContent(quakes: [], title: "", subtitle: "", asOf: Timestamp(milliseconds: 0))
        content.extent = .world
        #expect(content.bounds == .world)
        content.quakes = [quake(latitude: -64)]
        #expect(content.bounds.south == -64.5)
    }

    private func quake(latitude: Double) -> Quake {
        Quake(
            net: "us", code: "a", originTime: Timestamp(milliseconds: 0), updated: Timestamp(milliseconds: 0),
            hypocenter: Hypocenter(longitude: 0, latitude: latitude, depthKilometers: 5))
    }

    @Test("A bounding box from 170° to -170° results in a map from 170° to 190°") func boxAcross180() throws {
        let bounds = MapBounds(try BoundingBox(west: 170, south: -40, east: -170, north: -10))
        #expect((bounds.west, bounds.east) == (170, 190))
    }

    @Test("A world map fitted to any aspect ratio never shows more than the world") func filledAspect() {
        for aspect in [0.3, 1, 2, 6] {
            let bounds = MapBounds.world.filling(aspect: aspect)
            #expect(bounds.east - bounds.west <= 360 && bounds.south >= -90 && bounds.north <= 90)
        }
    }

    @Test(
        "A map labels the longitude 190° as 170°W",
        arguments: [(0.0, "0°"), (180, "180°"), (190, "170°W"), (-32, "32°W"), (12.5, "12.5°E")])
    func longitudesBeyond180(longitude: Double, name: String) {
        #expect(longitudeText(longitude) == name)
    }
}
