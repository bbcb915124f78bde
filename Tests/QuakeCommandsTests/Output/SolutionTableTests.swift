import QuakeModel
import QuakeTestSupport
import Testing

@testable import QuakeCommands

@Suite("Solutions as a table") struct SolutionTableTests {
    @Test("For two versions of a moment tensor with equal values, quakes show prints the later date")
    func dateOfTensor() throws {
        let versions = ["2017-04-04T10:00Z", "2017-06-23T10:00Z"].map { moment in
            SolutionVersion(
                product: "moment-tensor", source: "us", code: "m", published: Timestamp(iso8601: moment) ?? .sample,
                weight: 1, values: [.mag: .real(6.5), .magType: .text("Mww"), .strike1: .real(7)])
        }
        let text = try captured { writer in
            SolutionTable(SolutionHistory([.mechanisms: versions]), writer, OutputStyle()).write(versions: false)
        }
        #expect(text.contains("(us, 2017-06-23)") && !text.contains("2017-04-04"), "\(text)")
    }
}
