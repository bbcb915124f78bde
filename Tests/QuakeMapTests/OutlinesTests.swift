import Testing

@testable import QuakeMap

@Suite struct OutlinesTests {
    @Test func bothDetailsUnpackToLinesOfTheEarth() {
        let coarse = Outlines(.coarse)
        let fine = Outlines(.fine)
        #expect(coarse.coastlines.count > 100 && coarse.borders.count > 100 && coarse.plateBoundaries.isEmpty)
        #expect(fine.coastlines.count > 1000 && fine.plateBoundaries.count > 200)
        #expect(coarse.stateLines.isEmpty && fine.stateLines.count > 150)
        for line in coarse.coastlines + fine.coastlines + fine.borders + fine.plateBoundaries {
            #expect(line.points.allSatisfy { abs($0.latitude) <= 90 && abs($0.longitude) <= 540 })
        }
    }

    @Test func noLineJumpsAtTheDateLine() {
        let outlines = Outlines(.fine)
        for line in outlines.coastlines + outlines.borders + outlines.plateBoundaries {
            let steps = zip(line.points, line.points.dropFirst()).map { abs($0.longitude - $1.longitude) }
            // The longest real step is a straight piece of a border or of the ice edge.
            #expect((steps.max() ?? 0) < 60)
        }
    }

    @Test func oneLineGoesAroundTheSouthPole() {
        #expect(Outlines(.coarse).coastlines.filter(\.circlesPole).count == 1)
        #expect(Outlines(.fine).coastlines.filter(\.circlesPole).count == 1)
    }

    @Test func packedOutlinesStaySmall() {
        #expect(Outlines.packedText(.coarse).count <= 25_000)
        #expect(Outlines.packedText(.fine).count <= 250_000)
    }

    @Test func textThatEndsTooEarlyReadsAsZeros() {
        let text = Array("FAEC".utf8)
        text.withUnsafeBufferPointer { #expect(Outlines(packed: $0).coastlines.allSatisfy { $0.points.count < 10 }) }
    }
}
