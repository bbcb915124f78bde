import QuakeModel
import Testing

@Suite("Addresses without what gives access")
struct WebAddressTests {
    @Test(
        "User and password are left out",
        arguments: [
            ("http://bob:s3cr3t@host/feed", "http://host/feed"), ("https://bob@host:8443", "https://host:8443"),
            ("http://bob:p@ss@host/a@b", "http://host/a@b"), ("http://bob:a/b@host/feed", "http://host/feed"),
            ("ftp://bob:s3cr3t@host/", "ftp://host/"), ("http://bob:@[::1]:80/x", "http://[::1]:80/x"),
            ("http://bob:s3cr3t@host?a=b", "http://host?a=b"),
        ])
    func credentials(address: String, redacted: String) {
        #expect(WebAddress.redacted(address) == redacted)
    }

    @Test(
        "Values of parameters that give access are left out",
        arguments: [
            "apikey", "api_key", "API-Key", "key", "token", "access_token", "secret", "client_secret", "password",
            "signature", "sig", "X-Amz-Signature", "X-Amz-Credential", "auth", "%61pikey",
        ])
    func parameters(name: String) {
        #expect(WebAddress.redacted("http://h/f?a=1&\(name)=s3cr3t&b=2") == "http://h/f?a=1&\(name)=redacted&b=2")
        #expect(WebAddress.redacted("http://h/f#\(name)=s3cr3t;b=2") == "http://h/f#\(name)=redacted;b=2")
        #expect(WebAddress.redacted("http://h/f?\(name)=") == "http://h/f?\(name)=")
    }

    @Test(
        "Everything else stays, and so does what was redacted before",
        arguments: [
            "https://earthquake.usgs.gov/fdsnws/event/1/query?format=geojson&starttime=2024-01-01&minsig=600&author=us",
            "http://host/a@b?q=c@d", "http://[::1]:8080/feed", "http://host:port/", "all_week", "archive/a@b.geojson",
            "standard input", "", "://", "http://h/f?apikey=redacted", "http://h/f?key",
        ])
    func unchanged(address: String) {
        #expect(WebAddress.redacted(address) == address)
        #expect(WebAddress.redactedText(address) == address)
    }

    @Test("In a sentence every address is redacted")
    func sentence() {
        #expect(
            WebAddress.redactedText("http://bob:s3cr3t@a/?key=1 redirects to \"https://eve@b/\", which is not secure.")
                == "http://a/?key=redacted redirects to \"https://b/\", which is not secure.")
        #expect(WebAddress.redactedText("event service http://bob:s3cr3t@h/q") == "event service http://h/q")
    }
}
