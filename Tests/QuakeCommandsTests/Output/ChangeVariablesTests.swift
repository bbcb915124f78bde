import QuakeModel
import QuakeTestSupport
import Testing

@testable import QuakeCommands

@Suite("Changes as environment variables")
struct ChangeVariablesTests {
    private func variables(_ display: DisplayStyle) throws -> [String: String] {
        let quake = Quake(sample: "us7000abcd")
        let change = HistoryChange(
            id: 7, transaction: 2, reason: .revised, quakeKey: 1,
            effect: .update(before: quake, after: quake, changed: []))
        let transaction = HistoryTransaction(
            storeID: "s", number: 2, time: .sample, fingerprint: 0, author: "", purpose: nil, processID: 1, host: "",
            program: "", provenance: nil)
        let event = RelevantChange(change: change, crossing: .update, transaction: transaction, token: nil)
        return try ChangeVariables(style: OutputStyle(display: display)).variables(of: .change(event))
    }

    @Test("Every placeholder of a template is a variable")
    func names() throws {
        let names = OutputTemplate.changePlaceholders.map { "QUAKE_" + $0.name.uppercased().replacing(".", with: "_") }
        #expect(try Set(variables(DisplayStyle()).keys) == Set(names))
    }

    @Test("The bearing is there as a word too, and lengths are in km in every unit")
    func reference() throws {
        var display = DisplayStyle()
        display.reference = ReferencePoint(point: GeographicPoint(latitude: 0, longitude: 0), origin: .home)
        let metric = try variables(display)
        #expect(CompassWord.of(degrees: Double(metric["QUAKE_BEARING"] ?? "") ?? .nan) == metric["QUAKE_COMPASS"])
        #expect(metric["QUAKE_COMPASS"] != "")
        display.unit = .mi
        #expect(try variables(display)["QUAKE_DISTANCE"] == metric["QUAKE_DISTANCE"])
    }
}
