import QuakeFeed
import QuakeModel
import Testing

@Suite("Addresses and validators")
struct FeedAddressTests {
    @Test("A feed lies under the endpoint by its name")
    func address() {
        let feed = FeedName(.aboveMagnitude45, .week)
        #expect(
            FeedEndpoint().url(for: feed)
                == "https://earthquake.usgs.gov/earthquakes/feed/v1.0/summary/4.5_week.geojson")
        #expect(FeedEndpoint(base: "http://127.0.0.1:80//").url(for: feed) == "http://127.0.0.1:80/4.5_week.geojson")
    }

    @Test("Validators become a conditional request")
    func conditionalRequest() {
        let validators = CacheValidators(responseHeaders: ["etag": "W/\"1\"", "last-modified": "yesterday"])
        #expect(validators.requestHeaders == ["If-None-Match": "W/\"1\"", "If-Modified-Since": "yesterday"])
        #expect(CacheValidators().requestHeaders.isEmpty)
        #expect(CacheValidators(responseHeaders: [:]).isEmpty)
    }

    @Test("A validator that is not repeated is kept")
    func completion() {
        let earlier = CacheValidators(etag: "1", lastModified: "yesterday")
        let completed = CacheValidators(etag: "2").completed(from: earlier)
        #expect(completed == CacheValidators(etag: "2", lastModified: "yesterday"))
    }
}
