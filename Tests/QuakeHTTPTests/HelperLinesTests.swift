import Testing

@testable import QuakeHTTP

@Suite("Lines between program and helper") struct HelperLinesTests {
    private let request = TransportRequest(
        url: "https://a/b?c=d", headers: ["If-None-Match": "W/\"x: y\"", "Empty": "", "X": "é  "],
        deadline: .milliseconds(1500), bodyLimit: 7)
    private let head = TransportResponseHead(status: 304, headers: ["ETag": "\"1\""], url: "http://a/")

    @Test("A request and a response header encoded as lines for the download helper decode unchanged") func roundTrip()
        throws
    {
        #expect(TransportRequest(lines: try #require(request.lines)) == request)
        #expect(TransportResponseHead(lines: try #require(head.lines)) == head)
    }

    @Test("A deadline of millennia becomes a century, which no clock overflows") func extremeDeadline() {
        let request = TransportRequest(
            url: "http://a/", deadline: Duration(secondsComponent: .max, attosecondsComponent: 0))
        #expect(request.deadlineSeconds == 100 * 365.25 * 86_400)
    }

    @Test("A truncated request to the download helper is rejected") func truncatedRequest() throws {
        let lines = try #require(request.lines)
        for count in lines.indices {
            #expect(TransportRequest(lines: lines.prefix(count)) == nil, "after \(count) bytes")
        }
    }

    @Test(
        "A line break in a request's header value or URL cannot add a header field",
        arguments: ["\n", "\r", "\r\n", "\0"])
    func injection(lineBreak: String) throws {
        var hostile = request
        hostile.headers = ["A": "1\(lineBreak)B: 2", "C\(lineBreak)D": "3", "E: F": "4", "G": "5"]
        #expect(TransportRequest(lines: try #require(hostile.lines))?.headers == ["G": "5"])
        hostile.url = "http://a/\(lineBreak)x"
        #expect(hostile.lines == nil)
        hostile.url = ""
        #expect(hostile.lines == nil)
    }

    @Test(
        "Text that is not a valid request to the download helper is rejected",
        arguments: [
            "", "\n", "\n\n", "http://a/\n1\n\n", "http://a/\nsoon\n1\n\n", "http://a/\nnan\n1\n\n",
            "http://a/\n-1\n1\n\n", "http://a/\n1\nmuch\n\n",
            "http://a/\n1\n1\nA:1\n\n",
        ])
    func rejectedText(text: String) {
        #expect(TransportRequest(lines: text.utf8) == nil)
    }
}
