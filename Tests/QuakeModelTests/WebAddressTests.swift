import QuakeModel
import Testing

@Suite("URLs without credentials") struct WebAddressTests {
    // Proves promise 16 of reliability.md.
    @Test(
        "A password in a URL is removed or redacted, even if the URL is malformed",
        arguments: [
            ("http://bob:s3cr3t@host/feed", "http://host/feed"), ("https://bob@host:8443", "https://host:8443"),
            ("http://bob:p@ss@host/a@b", "http://host/a@b"), ("http://bob:a/b@host/feed", "http://host/feed"),
            ("ftp://bob:s3cr3t@host/", "ftp://host/"), ("http://bob:@[::1]:80/x", "http://[::1]:80/x"),
            ("http://bob:s3cr3t@host?a=b", "http://host?a=b"), ("http://bob:s3cr3t%40host/a", "http://host/a"),
            ("http://bob:s3cr3t/a", "http://bob:redacted/a"), ("http://bob:s3cr3t", "http://bob:redacted"),
            ("http:///bob:s3cr3t@host/feed", "http:///host/feed"), ("http:////bob:s3cr3t@host", "http:////host"),
            ("http://\\bob:s3cr3t@host", "http://\\host"), ("http:///bob:s3cr3t/a", "http:///bob:redacted/a"),
            ("http://?bob:s3cr3t@host", "http://host"), ("https:///bob:s3%2Fcr3t%40host/a", "https:///host/a"),
        ])
    func userAndPassword(address: String, redacted: String) {
        #expect(WebAddress.redacted(address) == redacted)
    }

    @Test(
        "The value of a URL parameter such as apikey or token is redacted",
        arguments: [
            "apikey", "api_key", "API-Key", "key", "token", "access_token", "secret", "client_secret", "password",
            "signature", "sig", "X-Amz-Signature", "X-Amz-Credential", "auth", "%61pikey", "bearer", "code",
        ])
    func parameters(name: String) {
        #expect(WebAddress.redacted("http://h/f;\(name)=s3cr3t;v=1/g") == "http://h/f;\(name)=redacted;v=1/g")
        #expect(WebAddress.redacted("http://h/f?a=1&\(name)=s3cr3t&b=2") == "http://h/f?a=1&\(name)=redacted&b=2")
        #expect(WebAddress.redacted("http://h/f#\(name)=s3cr3t;b=2") == "http://h/f#\(name)=redacted;b=2")
        #expect(WebAddress.redacted("http://h/f?\(name)=") == "http://h/f?\(name)=")
    }

    @Test(
        "Credentials are redacted even if the URL's whole query string is percent-encoded",
        arguments: [
            ("http://h/f?apikey%3Ds3cr3t", "http://h/f?apikey%3Dredacted"),
            ("http://h/f?apikey%3ds3cr3t&a=1", "http://h/f?apikey%3dredacted&a=1"),
            ("http://h/f?a%3D1%26apikey%3Ds3cr3t%26b%3D2", "http://h/f?a%3D1%26apikey%3Dredacted%26b%3D2"),
            ("http://h/f%3Fapikey=s3cr3t", "http://h/f%3Fapikey=redacted"),
            ("http://h/f?a=1%2526apikey%253Ds3cr3t", "http://h/f?a=1%2526apikey%253Dredacted"),
            ("http://h/f?next=http%3A%2F%2Fg%3Ftoken%3Ds3cr3t", "http://h/f?next=http%3A%2F%2Fg%3Ftoken%3Dredacted"),
        ])
    func encodedQuery(address: String, redacted: String) {
        #expect(WebAddress.redacted(address) == redacted)
        #expect(WebAddress.redacted(redacted) == redacted)
    }

    // Proves promise 16 of reliability.md.
    @Test(
        "A possibly mistyped URL is shown without the text before @ or after ?",
        arguments: [
            ("http:/bob:s3cr3t@host/feed", "…@host/feed"), ("bob:s3cr3t@host/query", "…@host/query"),
            ("//bob:s3cr3t@host", "…@host"), ("host/query?apikey%3Ds3cr3t", "host/query?…"),
            ("host/query?apikey=s3cr3t@", "host/query?…"), ("http:\\\\bob:s3cr3t%40host", "…@host"),
            ("host/query%3fapikey=s3cr3t", "host/query?…"), ("http://bob:s3cr3t@host/", "http://host/"),
            ("archive/all_day.geojson", "archive/all_day.geojson"), ("", ""), ("%", "%"), ("a%4", "a%4"),
        ])
    func mistypedURL(text: String, shown: String) {
        #expect(WebAddress.shortened(text) == shown)
    }

    @Test("A URL without a host, or with a scheme other than http or https, is invalid") func validURLs() {
        for text in ["http://h", "HTTPS://h:8080/q?a=b", "http://bob:s3cr3t@h/", "http://[::1]:80/"] {
            #expect(WebAddress.isAddress(text), "\(text)")
        }
        for text in [
            "", "h", "http:/h", "//h", "ftp://h", "http://", "http://:80/", "http://bob:s3cr3t", "http://a b/",
            "http:///q", "http:///bob:s3cr3t@h", "http://?bob:s3cr3t@h", "http://\\bob@h",
        ] {
            #expect(!WebAddress.isAddress(text), "\(text)")
        }
    }

    @Test(
        "A URL without credentials, or with redacted ones, is not altered",
        arguments: [
            "https://earthquake.usgs.gov/fdsnws/event/1/query?format=geojson&starttime=2024-01-01&minsig=600&author=us",
            "http://host/a@b?q=c@d", "http://[::1]:8080/feed", "all_week", "archive/a@b.geojson",
            "standard input", "", "://", "http://h/f?apikey=redacted", "http://h/f?key",
        ])
    func unchangedURLs(address: String) {
        #expect(WebAddress.redacted(address) == address)
        #expect(WebAddress.redactedText(address) == address)
    }

    @Test("Credentials are redacted in every URL in a sentence") func sentence() {
        #expect(
            WebAddress.redactedText("http://bob:s3cr3t@a/?key=1 redirects to \"https://eve@b/\", which is not secure.")
                == "http://a/?key=redacted redirects to \"https://b/\", which is not secure.")
        #expect(WebAddress.redactedText("event service http://bob:s3cr3t@h/q") == "event service http://h/q")
        #expect(
            WebAddress.redactedText("Unsupported proxy syntax in 'bob:s3cr3t@h:x'")
                == "Unsupported proxy syntax in '…@h:x'")
    }
}
