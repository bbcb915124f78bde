import QuakeModel
import Testing

@Suite("Printed values") struct PrintedValueTests {
    @Test("Timestamps print as ISO 8601 in UTC, and property values as plain numbers or text") func printedValues() {
        #expect("\(Timestamp(milliseconds: 1_626_986_384_040))" == "2021-07-22T20:39:44.040Z")
        let values: [QuakeValue] = [.null, .integer(5), .real(4.5), .real(6), .text("mww")]
        #expect(values.map { "\($0)" } == ["null", "5", "4.5", "6", "mww"])
    }

    @Test("In titles, a magnitude halfway between two tenths is rounded away from zero, as by USGS")
    func roundedMagnitudes() {
        let magnitudes: [Double?] = [4.45, 4.35, 4.25, 4.249, -0.25, -0.04, nil]
        #expect(magnitudes.map(Quake.titleMagnitude) == ["4.5", "4.4", "4.3", "4.2", "-0.3", "0.0", "?"])
    }

    @Test("The range of magnitudes that look like a magnitude with one decimal agrees with their titles")
    func magnitudesOfTitle() {
        for tenths in [-12, -2, -1, 0, 1, 25, 45, 99].map({ Double($0) / 10 }) {
            let range = Quake.magnitudes(shownAs: tenths)
            let magnitudes = (-150...150).map { (tenths * 1000 + Double($0)).rounded() / 1000 }
            let title = Quake.titleMagnitude(tenths)
            #expect(magnitudes.allSatisfy { range.contains($0) == (Quake.titleMagnitude($0) == title) }, "\(title)")
        }
    }
}
