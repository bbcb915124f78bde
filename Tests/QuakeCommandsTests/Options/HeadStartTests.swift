import Testing

@testable import QuakeCommands

@Suite("What a refresh begins with before its arguments are parsed")
struct HeadStartTests {
    @Test(
        "A helper where a download is meant",
        arguments: [
            ["refresh"], ["refresh", "all_day", "-q"], ["refresh", "--db", "a.db", "all_week"],
            ["refresh", "https://example.org/all_day.geojson"],
        ])
    func helper(arguments: [String]) {
        #expect(RefreshCommand.headStart(for: arguments) == .helper)
    }

    @Test(
        "The file where one is meant", arguments: [["a.geojson"], ["-q", "--db", "a.db", "a.geojson", "--wait", "1s"]])
    func file(arguments: [String]) {
        #expect(RefreshCommand.headStart(for: ["refresh"] + arguments) == .file("a.geojson"))
    }

    @Test(
        "Nothing where it is not clear: above all, the cache itself is not opened",
        arguments: [
            [], ["list"], ["refresh", "-"], ["refresh", "--help"], ["refresh", "a.geojson", "b.geojson"],
            ["refresh", "--db", "a.geojson", "all_day"], ["refresh", "--db", "a.geojson"],
        ])
    func nothing(arguments: [String]) {
        #expect(RefreshCommand.headStart(for: arguments) == nil)
    }
}
