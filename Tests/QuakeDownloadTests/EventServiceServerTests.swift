import Foundation
import QuakeMirror
import QuakeTestSupport
import Testing

@Suite("The tests' event service keeps to the protocol of the real one", .timeLimit(.minutes(5)))
struct EventServiceServerTests {
    private struct Collection: Decodable {
        struct Feature: Decodable {
            var id: String
        }
        var features: [Feature]
    }

    private struct Count: Decodable, Equatable {
        var count: Int
        var maxAllowed: Int
        var error: String?
    }

    private let minute: @Sendable (Int64) -> Timestamp = { .sample + .seconds($0 * 60) }

    /// Quakes at minutes 0, 1, 2, … with magnitudes 1, 2, 3, … (the last without one), along the date line.
    private var catalog: EventCatalog {
        var catalog = EventCatalog(now: minute(60))
        for (index, longitude) in [(0, -120.0), (1, 179), (2, 180), (3, -179)] {
            var quake = Quake(
                sample: "us\(index)", at: Hypocenter(longitude: longitude, latitude: 10, depthKilometers: 5),
                time: minute(Int64(index)), magnitude: index == 3 ? nil : Double(index + 1))
            quake.eventType = index == 1 ? "quarry blast" : "earthquake"
            quake.status = "reviewed"
            catalog.insert(quake, updated: minute(Int64(index)))
        }
        return catalog
    }

    private let all = "format=geojson&starttime=2026-03-14&orderby=time-asc"

    private func get(
        _ server: EventServiceServer, _ parameters: String, method: String = "query"
    ) async throws -> TransportResponse {
        let base = server.queryURL.dropLast("query".count)
        return try await Download.get("\(base)\(method)?\(parameters)")
    }

    private func expect(
        _ ids: [String], _ server: EventServiceServer, _ parameters: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let response = try await get(server, parameters)
        let found = try JSONDecoder().decode(Collection.self, from: response.body).features.map(\.id)
        #expect(response.status == 200 && found == ids, "\(parameters)", sourceLocation: sourceLocation)
    }

    @Test(
        "An unknown parameter, a bad value or a bad combination is refused with 400 and the service's text",
        arguments: [
            ("format=geojson&minmag=3", #"Unknown parameter "minmag"."#),
            ("starttime=2026-01-01", #"Bad format value "". Valid values are: "geojson"."#),
            ("format=csv", #"Bad format value "csv". Valid values are: "geojson"."#),
            ("format=geojson&starttime=gestern", #"Bad starttime value "gestern". Valid values are ISO-8601"#),
            // An unescaped plus sign is a space.
            (
                "format=geojson&starttime=2026-01-01T00:00:00+00:00",
                #"Bad starttime value "2026-01-01T00:00:00 00:00"."#
            ),
            ("format=geojson&endtime=2026-02-30", #"Bad endtime value "2026-02-30"."#),
            ("format=geojson&limit=20001", #"Bad limit value "20001". Valid values are 1 <= limit <= 20000"#),
            ("format=geojson&limit=0", #"Bad limit value "0"."#),
            ("format=geojson&offset=0", #"Bad offset value "0". Valid values are 1 <= offset"#),
            ("format=geojson&minmagnitude=big", #"Bad minmagnitude value "big". Valid values are numeric"#),
            ("format=geojson&minlatitude=91", "Valid values are -90 <= minlatitude <= 90"),
            ("format=geojson&longitude=190", "Valid values are -180 <= longitude <= 180"),
            ("format=geojson&orderby=oldest", #"Valid values are: "time", "time-asc", "magnitude", "magnitude-asc"."#),
            ("format=geojson&includedeleted=yes", #"Bad includedeleted value "yes"."#),
            ("format=geojson&latitude=1&longitude=1", "latitude, longitude, and maxradius must all be specified"),
            ("format=geojson&minlatitude=2&maxlatitude=1", "minlatitude must be less than maxlatitude"),
            ("format=geojson&minlongitude=2&maxlongitude=1", "minlongitude must be less than maxlongitude"),
            ("format=geojson&minlongitude=-190", "Searches that cross dateline require both"),
            ("format=geojson&minlongitude=-190&maxlongitude=180", "cannot span more than 360 degrees"),
            ("format=geojson&starttime=", #"Bad starttime value """#),
            ("format=geojson&limit=5&limit=6", "is given twice"),
        ])
    func refusals(parameters: String, message: String) async throws {
        try await withEventService(catalog) { server in
            for method in ["query", "count"] {
                let response = try await get(server, parameters, method: method)
                let text = String(decoding: response.body, as: UTF8.self)
                #expect(response.status == 400)
                #expect(text.hasPrefix("Error 400: Bad Request\n\n"))
                #expect(text.contains(message), "\(text)")
            }
            #expect(try await get(server, all, method: "catalogs").status == 404)
        }
    }

    @Test("Time, magnitude, box, circle and kind select with both ends included; a box may cross the date line")
    func filters() async throws {
        try await withEventService(catalog) { server in
            for (filter, ids) in [
                ("", ["us0", "us1", "us2", "us3"]),
                ("&endtime=2026-03-14T12:01:00", ["us0", "us1"]),
                ("&endtime=2026-03-14T12:00:59.999Z", ["us0"]),
                ("&endtime=2026-03-14T14:01:00%2B02:00", ["us0", "us1"]),
                ("&minmagnitude=2", ["us1", "us2"]),
                ("&minmagnitude=1&maxmagnitude=2", ["us0", "us1"]),
                ("&maxmagnitude=9", ["us0", "us1", "us2"]),
                ("&mindepth=5&maxdepth=5", ["us0", "us1", "us2", "us3"]), ("&mindepth=6", []),
                ("&minlongitude=170&maxlongitude=190", ["us1", "us2", "us3"]),
                ("&minlongitude=-181&maxlongitude=-120", ["us0", "us1", "us2", "us3"]),
                ("&minlongitude=-179.5&maxlongitude=-100", ["us0", "us3"]),
                ("&minlongitude=180", ["us2"]),
                ("&minlatitude=10&maxlatitude=10&maxlongitude=0", ["us0", "us3"]),
                ("&latitude=10&longitude=180&maxradiuskm=110", ["us1", "us2", "us3"]),
                ("&latitude=10&longitude=180&maxradiuskm=100", ["us2"]),
                ("&eventtype=quarry%20blast,explosion", ["us1"]),
                ("&eventtype=Earthquake", ["us0", "us2", "us3"]),
                ("&updatedafter=2026-03-14T12:02:00", ["us2", "us3"]),
                ("&limit=2&offset=2", ["us1", "us2"]),
            ] {
                try await expect(ids, server, all + filter)
            }
            // Without a start time, the last 30 days are searched.
            server.change { $0.now = minute(30 * 24 * 60 + 2) }
            try await expect(["us3", "us2"], server, "format=geojson")
            try await expect(["us2", "us3"], server, "format=geojson&orderby=magnitude")
            try await expect(["us3", "us2"], server, "format=geojson&orderby=magnitude-asc")
        }
    }

    @Test("More rows than the service allows are refused, the count is told; a limit lets some of them through")
    func tooMany() async throws {
        try await withEventService(catalog) { server in
            server.configure { $0.mostRows = 3 }
            let refused = try await get(server, all)
            let text = String(decoding: refused.body, as: UTF8.self)
            #expect(refused.status == 400)
            #expect(
                text.contains("4 matching events exceeds search limit of 3. Modify the search to match fewer events."))
            let count = try await get(server, all, method: "count")
            let told = try JSONDecoder().decode(Count.self, from: count.body)
            #expect(told.count == 4 && told.maxAllowed == 3 && told.error?.contains("would fail") == true)
            try await expect(["us0", "us1", "us2"], server, all + "&limit=3")
            let limited = try await get(server, all + "&limit=3", method: "count")
            #expect(try JSONDecoder().decode(Count.self, from: limited.body) == Count(count: 3, maxAllowed: 3))
            server.configure {
                $0.mostRows = 20_000
                $0.mostRowsInTime = 2
            }
            #expect(try await get(server, all).status == 504)
            #expect(try await get(server, all + "&endtime=2026-03-14T12:01:00").status == 200)
        }
    }
}
