import QuakeHTTP
import Testing

@Suite("ETag and Last-Modified") struct CacheValidatorsTests {
    @Test("ETag and Last-Modified become If-None-Match and If-Modified-Since of the next request")
    func conditionalRequest() {
        let validators = CacheValidators(responseHeaders: ["etag": "W/\"1\"", "last-modified": "yesterday"])
        #expect(validators.requestHeaders == ["If-None-Match": "W/\"1\"", "If-Modified-Since": "yesterday"])
        #expect(CacheValidators().requestHeaders.isEmpty)
        #expect(CacheValidators(responseHeaders: [:]).isEmpty)
    }

    @Test("An ETag or Last-Modified longer than 1 KiB is ignored", arguments: [1024, 1025])
    func longValidator(length: Int) {
        let text = String(repeating: "x", count: length)
        for validators in [
            CacheValidators(responseHeaders: ["etag": text, "last-modified": text]),
            CacheValidators(etag: text, lastModified: text),
        ] {
            #expect(validators.isEmpty == (length > 1024))
        }
    }

    @Test("If a response has a new ETag but no Last-Modified, the previous response's is kept")
    func unrepeatedValidator() {
        let earlier = CacheValidators(etag: "1", lastModified: "yesterday")
        let completed = CacheValidators(etag: "2").completed(from: earlier)
        #expect(completed == CacheValidators(etag: "2", lastModified: "yesterday"))
    }
}
