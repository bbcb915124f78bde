import QuakeModel
import Testing

@testable import QuakeMap

@Suite("Coastlines and borders") struct OutlinesTests {
    @Test("The packed coarse and fine map outlines unpack to points on the Earth") func unpackedOutlines() {
        let coarse = Outlines(.coarse)
        let fine = Outlines(.fine)
        #expect(coarse.coastlines.count > 100 && coarse.borders.count > 100 && coarse.plateBoundaries.isEmpty)
        #expect(fine.coastlines.count > 1000 && fine.plateBoundaries.count > 200)
        #expect(coarse.stateLines.isEmpty && fine.stateLines.count > 150)
        for line in coarse.coastlines + fine.coastlines + fine.borders + fine.plateBoundaries {
            #expect(line.points.allSatisfy { abs($0.latitude) <= 90 && abs($0.longitude) <= 540 })
        }
    }

    @Test("No coastline, border or plate boundary jumps across the map at the 180th meridian") func noJumps() {
        let outlines = Outlines(.fine)
        for line in outlines.coastlines + outlines.borders + outlines.plateBoundaries {
            let steps = zip(line.points, line.points.dropFirst()).map { abs($0.longitude - $1.longitude) }
            // The longest real step is a straight piece of a border or of the ice edge.
            #expect((steps.max() ?? 0) < 60)
        }
    }

    @Test("In the map outlines, exactly one coastline circles the South Pole") func southPole() {
        #expect(Outlines(.coarse).coastlines.filter(\.circlesPole).count == 1)
        #expect(Outlines(.fine).coastlines.filter(\.circlesPole).count == 1)
    }

    @Test("The packed map outlines take at most 25,000 bytes (coarse) and 250,000 bytes (fine)") func packedSize() {
        #expect(Outlines.packedText(.coarse).count <= 25_000)
        #expect(Outlines.packedText(.fine).count <= 250_000)
    }

    @Test("Truncated packed map outlines are read without a crash") func truncatedText() {
        let text = Array("FAEC".utf8)
        text.withUnsafeBufferPointer { #expect(Outlines(packed: $0).coastlines.allSatisfy { $0.points.count < 10 }) }
    }

    @Test("The page of a region has more detailed coastlines than the map of the world") func finerCoastlines() throws {
        let bounds = MapBounds(around: GeographicPoint(latitude: 37.4, longitude: 137.2), radiusKilometers: 150)
        let near = try region(bounds)
        let points = near.lines.flatMap(\.points)
        let coarser = Outlines(.fine).coastlines.flatMap(\.points).filter {
            near.box.contains(GeographicPoint(latitude: $0.latitude, longitude: $0.longitude))
        }
        #expect(points.count > 4 * coarser.count)
        for (longitude, latitude) in points {
            #expect((near.box.west - 0.06...near.box.east + 0.06).contains(longitude))
            #expect((near.box.south - 0.06...near.box.north + 0.06).contains(latitude))
        }
        // Across the 180th meridian, in the longitudes of the box.
        let fiji = try region(MapBounds(around: GeographicPoint(latitude: -17, longitude: 180), radiusKilometers: 300))
        #expect(fiji.lines.contains { $0.east < 180 } && fiji.lines.contains { $0.west > 180 })
        // A wide region is simpler, and a region never covers Antarctica with sea.
        let asia = try region(MapBounds(BoundingBox(west: 90, south: 10, east: 145, north: 45)))
        #expect(asia.packed < 250_000)
        let south = try region(MapBounds(BoundingBox(west: 165, south: -66, east: 178, north: -40)))
        #expect(south.box.south == -60)
    }

    private func region(_ bounds: MapBounds) throws -> (box: MapBounds, lines: [Outlines.Line], packed: Int) {
        let near = NearOutlines(content([], bounds))
        let box = try #require(near.boxes.first)
        #expect(near.boxes.count == 1)
        return (box.bounds, unpacked(box).coastlines, box.packed.utf8.count)
    }

    private func content(_ quakes: [Quake], _ extent: MapBounds) -> MapContent {
        var content = MapContent(quakes: quakes, title: "", subtitle: "", asOf: Timestamp(milliseconds: 0))
        content.extent = extent
        return content
    }

    private func unpacked(_ box: NearOutlines.Box) -> Outlines {
        Array(box.packed.utf8).withUnsafeBufferPointer { Outlines(packed: $0) }
    }

    private func quake(_ magnitude: Double, _ latitude: Double, _ longitude: Double) -> Quake {
        var quake = Quake(
            net: "us", code: "\(latitude)\(longitude)", originTime: Timestamp(milliseconds: 0),
            updated: Timestamp(milliseconds: 0),
            hypocenter: Hypocenter(longitude: longitude, latitude: latitude, depthKilometers: 5))
        quake.magnitude = magnitude
        return quake
    }

    @Test("The page of the world has more detailed coastlines around quakes") func surroundings() throws {
        let ponce = GeographicPoint(latitude: 17.95, longitude: -66.8)
        let boxes = NearOutlines(content([quake(3, ponce.latitude, ponce.longitude)], .world)).boxes
        #expect((1...4).contains(boxes.count) && boxes.contains { $0.bounds.contains(ponce) })
        let points = boxes.flatMap { unpacked($0).coastlines.flatMap(\.points) }
        #expect(points.count > 100)
        #expect(boxes.allSatisfy { ponce.distanceKilometers(to: center($0.bounds)) < 400 })
        // In the middle of an ocean there is no coast, and Antarctica has none at this scale.
        #expect(NearOutlines(content([quake(7, -40, -140), quake(7, -75, -60)], .world)).boxes.isEmpty)
        // Both sides of the 180th meridian.
        let fiji = NearOutlines(content([quake(6, -17, 179.9)], .world)).boxes.map(\.bounds)
        #expect(fiji.contains { $0.west == 178 } && fiji.contains { $0.west == -180 })
    }

    @Test("The detailed coastlines of a page stay within a budget, those of the largest quakes first") func budget() {
        // A strong quake among weak ones all over the Earth.
        var quakes = stride(from: -58.0, to: 80, by: 2).flatMap { latitude in
            stride(from: -179.0, to: 180, by: 4).map { quake(1, latitude, $0) }
        }
        quakes.append(quake(7, 37.8, -122.3))
        let boxes = NearOutlines(content(quakes, .world)).boxes
        #expect(boxes.reduce(0) { $0 + $1.packed.utf8.count + 25 } <= min(24_000 + 10 * quakes.count, 100_000))
        #expect(boxes.count > 50)
        #expect(boxes.contains { $0.bounds.contains(GeographicPoint(latitude: 37.8, longitude: -122.3)) })
    }

    private func center(_ bounds: MapBounds) -> GeographicPoint {
        GeographicPoint(latitude: (bounds.south + bounds.north) / 2, longitude: (bounds.west + bounds.east) / 2)
    }

    @Test("A simplified line stays within the tolerance and keeps its ends") func simplifiedLine() {
        let wave = stride(from: 0.0, through: 100, by: 0.5).map { (x: $0, y: ($0 / 10).rounded() * 0.4 + $0 / 50) }
        let simple = LineSimplifier.simplified(wave, tolerance: 0.5)
        #expect(simple.count < wave.count / 3)
        #expect(simple.first.map { $0 == wave[0] } == true && simple.last.map { $0 == wave[wave.count - 1] } == true)
        #expect(LineSimplifier.simplified(wave, tolerance: 0).count == wave.count)
    }
}
