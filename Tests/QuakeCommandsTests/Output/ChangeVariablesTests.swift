import QuakeModel
import QuakeTestSupport
import Testing

@testable import QuakeCommands

@Suite("Changes as environment variables") struct ChangeVariablesTests {
    private func variables(
        _ display: DisplayStyle = DisplayStyle(), place: String = "there"
    ) -> [String: String] {
        let quake = Quake(sample: "us7000abcd", place: place)
        let change = HistoryChange(
            id: 7, transaction: 2, reason: .revised, quakeKey: 1,
            effect: .update(before: quake, after: quake, changed: []))
        let transaction = HistoryTransaction(
            storeID: "s", number: 2, time: .sample, fingerprint: 0, author: "", purpose: nil, processID: 1, host: "",
            program: "", provenance: nil)
        let event = RelevantChange(change: change, operation: .update, transaction: transaction, token: nil)
        return ChangeVariables(style: OutputStyle(display: display)).variables(of: event)
    }

    @Test("Each placeholder of changes --template is an environment variable of --exec-each") func names() {
        let names = OutputTemplate.changePlaceholders.map { "QUAKE_" + $0.name.uppercased().replacing(".", with: "_") }
        #expect(Set(variables().keys) == Set(names))
    }

    @Test("$QUAKE_DISTANCE is in kilometers even with --units mi") func bearingAndLengths() {
        var display = DisplayStyle()
        display.sites = [Site(point: GeographicPoint(latitude: 0, longitude: 0), origin: .home)]
        let metric = variables(display)
        #expect(CompassWord.of(degrees: Double(metric["QUAKE_BEARING"] ?? "") ?? .nan) == metric["QUAKE_COMPASS"])
        #expect(metric["QUAKE_COMPASS"] != "")
        display.unit = .mi
        #expect(variables(display)["QUAKE_DISTANCE"] == metric["QUAKE_DISTANCE"])
    }

    @Test("A $QUAKE_ variable over 16 KiB is truncated without splitting a character") func longValue() throws {
        // As a character, the `=` sign before the value and its first scalar would combine.
        let place = "\u{301}" + String(repeating: "ö", count: 200_000)
        let value = try #require(variables(place: place)["QUAKE_PLACE"])
        #expect(place.hasPrefix(value) && (16_380...16_384).contains(value.utf8.count))
    }

    @Test("Control characters and line breaks in a $QUAKE_ variable are replaced with U+FFFD") func hostileValue() {
        let value = variables(place: "$(id)\nQUAKE_ID=`x`;\u{1B}\"")["QUAKE_PLACE"]
        #expect(value == "$(id)\u{FFFD}QUAKE_ID=`x`;\u{FFFD}\"")
    }
}
