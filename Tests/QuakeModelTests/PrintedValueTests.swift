import QuakeModel
import Testing

@Suite struct PrintedValueTests {
    @Test("Timestamps and values print as formats for programs write them")
    func printed() {
        #expect("\(Timestamp(milliseconds: 1_626_986_384_040))" == "2021-07-22T20:39:44.040Z")
        let values: [QuakeValue] = [.null, .integer(5), .real(4.5), .real(6), .text("mww")]
        #expect(values.map { "\($0)" } == ["null", "5", "4.5", "6", "mww"])
    }
}
