import ArgumentParser
import QuakeModel
import Testing

@testable import QuakeCommands

struct SiteTests {
    private func environment(_ variables: [String: String]) -> CommandEnvironment { .test(variables: variables) }

    @Test("--near takes precedence over --home, and --home over $QUAKES_HOME") func precedence() throws {
        let variable = environment(["QUAKES_HOME": "5, 6"])
        let home = try HomeOption.parse(["--home", "3,4"])
        let near = try PlaceArgument.parse("1,2")
        let global = try GlobalOptions.parse([])
        #expect(
            try home.sites(near: [near], in: variable, global) == [Site(near, .near)])
        #expect(try home.sites(in: variable, global).first?.origin == .home)
        let last = try HomeOption.parse([]).sites(in: variable, global).first
        #expect(last?.point == GeographicPoint(latitude: 5, longitude: 6) && last?.isOnCommandLine == false)
        #expect(try HomeOption.parse([]).sites(in: environment([:]), global).isEmpty)
    }

    @Test(
        "The error for an invalid $QUAKES_HOME names the variable and its value",
        arguments: ["banana", "1", "91,0", "0,361", "1,2,3", "nan,1"])
    func invalidVariable(text: String) throws {
        let option = try HomeOption.parse([])
        let error = #expect(throws: ValidationError.self) {
            try option.sites(in: environment(["QUAKES_HOME": text]), try GlobalOptions.parse([]))
        }
        #expect(error?.message.hasPrefix("$QUAKES_HOME is \"\(text)\"") == true)
    }

    @Test("A place can be given as coordinates or as the name of a city") func pointOrCity() throws {
        #expect(try PlaceArgument.parse("35.69,139.692").point == PlaceArgument.parse("tokyo").point)
        let home = try HomeOption.parse(["--home", "San Juan, Puerto Rico"])
        let reference = try home.sites(in: environment([:]), try GlobalOptions.parse(["--quiet"])).first
        #expect(reference?.name == "San Juan" && reference?.isOnCommandLine == true)
        let variable = environment(["QUAKES_HOME": "Tokyo"])
        #expect(try HomeOption.parse([]).sites(in: variable, try GlobalOptions.parse([])).first?.name == "home")
    }

    @Test(
        "The error for an invalid place suggests a city or the form LAT,LON",
        arguments: [
            ("Tokio", "Did you mean Tokyo, Japan"), ("San Juan", "San Juan, Puerto Rico; San Juan, Philippines; San"),
            ("Tokyo, Peru", "No city of 15,000 people or more is called \"Tokyo, Peru\". Did you mean Tokyo, Japan?"),
            ("inf,inf", "You can also give LAT,LON, such as"),
            ("35.7N, 139.7w", "Write LAT,LON as signed degrees: 35.7,-139.7."),
            ("San Fransisco, CA", "San Francisco, Argentina? You can also give LAT,LON, such as 35.69,139.69."),
            ("\u{1B}[31mx", "\u{FFFD}[31mx"), ("1;2", "LAT,LON"), ("", "LAT,LON"),
        ])
    func unusablePlace(text: String, words: String) throws {
        let error = #expect(throws: ValidationError.self) { try PlaceArgument.parse(text) }
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test("The field distance is rounded to meters, and the field bearing to tenths of a degree") func precision() {
        let home = Site(point: GeographicPoint(latitude: 0, longitude: 179.5), origin: .home)
        let other = GeographicPoint(latitude: 0, longitude: -179.5)
        #expect(home.distance(to: other) == 111.195 && home.bearing(to: other) == 90)
        #expect(home.distance(to: home.point) == 0 && home.bearing(to: home.point) == nil)
        // 359.99° counts as north.
        let almostNorth = GeographicPoint(latitude: 1, longitude: 179.4999)
        #expect(home.bearing(to: almostNorth) == 0)
    }

    @Test("A distance is printed with its compass direction, such as 157 km NW") func distanceInWords() {
        let home = Site(point: GeographicPoint(latitude: 0, longitude: 0), origin: .home)
        #expect(home.words(to: GeographicPoint(latitude: 1, longitude: -1), .km) == "157 km NW")
        #expect(home.words(to: GeographicPoint(latitude: 0.05, longitude: 0), .mi) == "3.5 mi N")
        #expect(home.words(to: home.point, .km) == "0 m")
        #expect(Site(point: home.point, origin: .near).name == "0,0")
    }

    @Test("A bearing in degrees is named by the nearest of sixteen compass directions") func compassDirections() {
        #expect(
            [0, 11, 12, 45, 90, 180, 270, 337, 348, 349, 359.9].map(CompassWord.of) == [
                "N", "N", "NNE", "NE", "E", "S", "W", "NNW", "NNW", "N", "N",
            ])
        #expect(CompassWord.of(degrees: -90) == "W" && CompassWord.of(degrees: .nan) == "")
    }

    @Test("In text output, 4.24 km is printed as 4.2 km, 42.4 km as 42 km, and 0.42 km as 420 m")
    func roundedDistances() {
        #expect(
            [0.42, 4.24, 42.4, 1234.5].map(LengthUnit.km.distanceText) == ["420 m", "4.2 km", "42 km", "1,235 km"])
        #expect([0.42, 4.24, 42.4].map(LengthUnit.mi.distanceText) == ["0.3 mi", "2.6 mi", "26 mi"])
    }
}
