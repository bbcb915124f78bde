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

    @Test("A map of a small region has more detailed coastlines than the map of the world") func finerCoastlines()
        throws
    {
        let bounds = MapBounds(around: GeographicPoint(latitude: 37.4, longitude: 137.2), radiusKilometers: 150)
        let near = try #require(NearOutlines(bounds))
        let points = near.land.flatMap(positions)
        let coarser = Outlines(.fine).coastlines.flatMap(\.points).filter {
            near.box.contains(GeographicPoint(latitude: $0.latitude, longitude: $0.longitude))
        }
        #expect(points.count > 4 * coarser.count)
        for (longitude, latitude) in points {
            #expect((near.box.west - 0.11...near.box.east + 0.11).contains(longitude))
            #expect((near.box.south - 0.11...near.box.north + 0.11).contains(latitude))
        }
        // Across the 180th meridian, in the longitudes of the box.
        let fiji = try #require(
            NearOutlines(MapBounds(around: GeographicPoint(latitude: -17, longitude: 180), radiusKilometers: 300)))
        let islands = fiji.land.map { ring in positions(ring).map { $0.0 } }
        #expect(islands.contains { $0.allSatisfy { $0 < 180 } } && islands.contains { $0.allSatisfy { $0 > 180 } })
        #expect(NearOutlines(.world) == nil)
    }

    private func positions(_ line: [Int]) -> [(Double, Double)] {
        var (x, y) = (0, 0)
        return stride(from: 0, to: line.count, by: 2).map { index in
            (x, y) = (x + line[index], y + line[index + 1])
            return (Double(x) / NearOutlines.stepsPerDegree, Double(y) / NearOutlines.stepsPerDegree)
        }
    }
}
