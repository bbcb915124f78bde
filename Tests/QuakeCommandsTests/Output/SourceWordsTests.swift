import Testing

@testable import QuakeCommands

@Suite("The names of sources for people")
struct SourceWordsTests {
    private static let service = "https://earthquake.usgs.gov/fdsnws/event/1/query"

    @Test(
        "A query is named by what was asked",
        arguments: [
            ("?format=geojson&starttime=1990-01-01&endtime=2000-01-01T00:00:00&minmagnitude=4.5", "M ≥ 4.5, 1990–2000"),
            ("?orderby=time-asc&starttime=1990-01-01T00%3A00%3A00.000Z", "since 1990"),
            ("?maxmagnitude=3&end=2020-05-07", "M ≤ 3, until 2020-05-07"),
            ("?starttime=2020-05-07&endtime=2020-05-08T12:30:00Z", "2020-05-07 to 2020-05-08T12:30"),
            (
                "?minlatitude=-10&maxlatitude=20&mindepth=5&eventtype=quarry+blast",
                "depth ≥ 5, lat -10 to 20, eventtype quarry blast"
            ),
            ("?format=geojson&limit=20000&offset=1", "all"), ("?limit=10&x", "limit 10, x"),
        ])
    func queries(parameters: String, words: String) {
        #expect(SourceWords(Self.service + parameters).text == "query: " + words)
    }

    @Test("Feeds, files and other addresses")
    func others() {
        for (name, words) in [
            ("all_week", "all_week"), ("standard input", "standard input"),
            ("archive/a.geojson", "file: archive/a.geojson"),
            ("https://example.org/a/b.geojson", "URL: example.org/a/b.geojson"),
            ("http://localhost:80/query?minmag=2", "query: M ≥ 2 at localhost:80"),
        ] {
            #expect(SourceWords(name).text == words)
        }
    }

    @Test("No name is long, and the end of a path stays")
    func long() {
        let long = String(repeating: "x", count: 300)
        #expect(SourceWords(Self.service + "?" + long).text.count == 100)
        let path = SourceWords("/" + long + "/last.geojson").text
        #expect(path.count == 106 && path.hasSuffix("/last.geojson"))
    }
}
