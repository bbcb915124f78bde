import Foundation
import Testing

@testable import QuakeMirror

@Suite("Queries of the event service") struct CatalogQueryTests {
    private let year = Timestamp(milliseconds: 0)..<Timestamp(milliseconds: 31_536_000_000)

    @Test("A query for 1970 has the start and end of that year as starttime and endtime") func times() {
        let parameters = CatalogQuery(filter: QuakeFilter(), originTimes: year).parameters
        #expect(
            parameters == "format=geojson&orderby=time-asc&starttime=1970-01-01T00:00:00.000"
                + "&endtime=1971-01-01T00:00:00.000")
    }

    @Test("The updatedafter of a query for changes is rounded down to a whole second") func changes() {
        let query = CatalogQuery(filter: QuakeFilter(), originTimes: year, updatedAfter: Timestamp(milliseconds: 1_999))
        #expect(query.parameters.hasSuffix("&updatedafter=1970-01-01T00:00:01"))
    }

    @Test("Magnitude, depth, area and type conditions become the event service's query parameters")
    func conditions() throws {
        let filter = QuakeFilter(
            minimumMagnitude: -1, maximumMagnitude: 4.5, minimumDepthKilometers: 0, maximumDepthKilometers: 70,
            boundingBoxes: [try BoundingBox(west: 170, south: -10, east: -170, north: 10.5)],
            circles: [.init(center: GeographicPoint(latitude: 1, longitude: 2), radiusKilometers: 300)],
            eventTypes: ["quarry blast", "a&b=c", "earthquake"])
        let parameters = CatalogQuery(filter: filter, originTimes: year).parameters.split(separator: "&").dropFirst(4)
        #expect(
            parameters.map(String.init) == [
                "minmagnitude=-1.0", "maxmagnitude=4.5", "mindepth=0.0", "maxdepth=70.0", "minlatitude=-10.0",
                "maxlatitude=10.5", "minlongitude=170.0", "maxlongitude=190.0", "latitude=1.0", "longitude=2.0",
                "maxradiuskm=303.0", "eventtype=a%26b%3Dc,earthquake,quarry%20blast",
            ])
    }

    @Test("For a filter that the service does not support, the unsupported condition is named") func unknownConditions()
    {
        #expect(QuakeFilter(minimumMagnitude: 3).conditionUnknownToService == nil)
        #expect(QuakeFilter(placesContain: ["x"]).conditionUnknownToService == "placesContain")
        let intensity = QuakeFilter.Intensity(places: [GeographicPoint(latitude: 0, longitude: 0)], minimumIntensity: 4)
        #expect(QuakeFilter(intensity: intensity).conditionUnknownToService == "intensity")
        #expect(QuakeFilter(regions: ["x"]).conditionUnknownToService == "regions")
        #expect(QuakeFilter(requiresTsunamiFlag: true).conditionUnknownToService == "requiresTsunamiFlag")
    }

    @Test("A count URL has /count in place of /query, and all parameters of the query") func countURL() throws {
        #expect(try EventEndpoint().countURL(with: "a=b") == "https://earthquake.usgs.gov/fdsnws/event/1/count?a=b")
        #expect(try EventEndpoint(base: "http://h/query?key=1").countURL(with: "a=b") == "http://h/count?key=1&a=b")
        #expect(throws: FeedError.self) {
            try EventEndpoint(base: "http://h/?token=secret").countURL(with: "a=b")
        }
    }

    @Test(
        "A service URL is accepted only if its path ends with /query",
        arguments: [
            ("http://h/query", true), ("http://h/fdsnws/event/1/query?key=1", true), ("http://h/fdsnws", false),
            ("http://h/query/", false), ("http://h/?a=/query", false),
        ])
    func serviceURL(_ base: String, isQuery: Bool) {
        #expect(((try? EventEndpoint(base: base).requireQuery()) != nil) == isQuery)
    }

    @Test(
        "A service URL with host localhost or 127.0.0.1 counts as a server on this machine",
        arguments: [("http://127.0.0.1:8/query", true), ("http://localhost/query", true), ("http://h/query", false)])
    func loopback(base: String, isHere: Bool) {
        #expect(EventEndpoint(base: base).isOnThisMachine == isHere)
    }

    @Test("A feature with status \"deleted\" is recognized as deleted even without an id") func deletedFeatures() throws
    {
        let features = [
            #"{"type":"Feature","id":"us1","properties":{"status":"DELETED","ids":",US1,ci2,"},"geometry":null}"#,
            #"{"type":"Feature","id":"us3","properties":{"status":"reviewed","place":"deleted"}}"#,
            #"{"type":"Feature","id":null,"properties":{"status":"deleted"}}"#,
            #"{"type":"Feature","id":"us4","properties":{"status":"deleted","ids":4}}"#,
        ]
        let body = #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
        let found = try FeedSnapshot(Data(body.utf8), source: "test").deletedFeatures()
        #expect(found.map(\.index) == [0, 2])
        #expect(found.first?.ids == ["us1", "ci2"])
        #expect(found.last?.ids == [])
    }
}
