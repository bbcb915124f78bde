import ArgumentParser
import QuakeModel
import Testing

@testable import QuakeCommands

@Suite("Magnitudes, depths and lengths") struct LimitArgumentTests {
    private static func message(_ words: [String]) -> String {
        let error = #expect(throws: (any Error).self) { try FilterOptions.parse(words) }
        return error.map { FilterOptions.message(for: $0) } ?? ""
    }

    @Test(
        "A magnitude may follow an M", arguments: [("M5", 5), ("m 4.5", 4.5), ("M-1", -1), (" 5 ", 5), ("4e-1", 0.4)])
    func magnitudes(text: String, magnitude: Double) throws {
        let filter = try FilterOptions.parse(["--min-mag", text, "--max-mag", "M9"]).filter
        #expect(filter.minimumMagnitude == magnitude && filter.maximumMagnitude == 9)
    }

    @Test(
        "A depth may be in km, mi or m; a bare number is in km",
        arguments: [
            ("10", 10), ("10km", 10), ("10 KM", 10), ("5mi", 8.04672), ("5 Miles", 8.04672), ("700m", 0.7),
            ("-2km", -2), ("1.5 kilometers", 1.5),
        ])
    func depths(text: String, kilometers: Double) throws {
        let filter = try FilterOptions.parse(["--min-depth", text, "--max-depth", "700km"]).filter
        #expect(filter.minimumDepthKilometers == kilometers && filter.maximumDepthKilometers == 700)
    }

    @Test(
        "--radius accepts a length in km, mi or m, or a number of kilometers without a unit",
        arguments: [
            ("20", 20), ("20km", 20), ("0.5 KM", 0.5), ("10mi", 16.09344), ("50 miles", 80.4672), ("50000m", 50),
            ("500 meters", 0.5), ("1e3km", 1000),
        ])
    func radii(text: String, kilometers: Double) throws {
        let circles = try FilterOptions.parse(["--near", "1,2", "--radius", text]).filter.circles
        #expect(circles.map(\.radiusKilometers) == [kilometers])
    }

    @Test(
        "--radius rejects other units, meters that may be miles, and malformed numbers",
        arguments: [
            ("km", "A length is"), ("20nm", "A length is"), ("50000M", "A length is"), ("2deg", "A length is"),
            ("nan", "A length is"), ("inf", "A length is"), ("1e400", "A length is"), ("0x10", "A length is"),
            ("20 30km", "A length is"), ("-1", "A length cannot be negative."),
            ("-1km", "A length cannot be negative."),
            ("50m", "In a radius, m may mean meters or miles"), ("5000m", "In a radius, m may mean meters or miles"),
        ])
    func rejectedRadii(text: String, message: String) {
        let found = Self.message(["--near", "1,2", "--radius=" + text])
        #expect(found.contains(message), "\(found)")
    }

    @Test(
        "A range in --min-mag or --max-depth is rejected with the two options for it",
        arguments: [
            ("mag", "4-5", "4", "5"), ("mag", "4..5", "4", "5"), ("mag", "4 to 5", "4", "5"), ("mag", "5–4", "4", "5"),
            ("mag", "M4:M5", "4", "5"), ("mag", "-1-2.5", "-1", "2.5"), ("mag", "4.5,5", "4.5", "5"),
            ("depth", "0..30", "0", "30"), ("depth", "0-30km", "0km", "30km"), ("depth", "1mi - 2 mi", "1mi", "2mi"),
        ])
    func ranges(name: String, text: String, least: String, most: String) {
        for limit in ["--min-", "--max-"] {
            let message = Self.message([limit + name, text])
            #expect(
                message.hasSuffix(": A range needs two options: --min-\(name) \(least) and --max-\(name) \(most)."),
                "\(message)")
        }
    }

    @Test(
        "A decimal comma is rejected with the number to write, and the range that it may mean",
        arguments: [
            (["--max-mag", "4,5"], "Write 4.5 with a decimal point, or a range as --min-mag 4 and --max-mag 5."),
            (["--min-mag", "5,2"], "Write 5.2 with a decimal point."),
            (["--near", "1,2", "--radius", "1,5km"], "Write 1.5 with a decimal point."),
            (["--near", "1,2", "--radius", "1,000"], "Write 1.000 with a decimal point, or 1000."),
            (["--min-intensity", "3,5"], "Write 3.5 with a decimal point."),
        ])
    func decimalCommas(words: [String], advice: String) {
        let message = Self.message(words)
        #expect(message.hasSuffix(": " + advice), "\(message)")
    }

    @Test(
        "Other text is rejected as a magnitude or a depth",
        arguments: [
            ("--min-mag", "5+"), ("--min-mag", "Mw5"), ("--min-mag", "MM5"), ("--min-mag", "4.."), ("--min-mag", "5km"),
            ("--min-mag", "4,5,6"), ("--min-mag", String(repeating: "9", count: 10_000)), ("--min-depth", "700M"),
            ("--min-depth", "10ft"), ("--min-depth", "km"), ("--max-depth", "shallow"),
        ])
    func otherText(option: String, text: String) {
        #expect(Self.message([option, text]).contains(option == "--min-mag" ? "A magnitude is" : "A length is"))
    }
}
