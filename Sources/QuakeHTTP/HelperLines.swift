/// The format in which `quakes` and `quakes-fetch` exchange a request and the head of a response: one line per value
/// and HTTP field, then an empty line. JSONEncoder and JSONDecoder would take 2 ms. Fields with line breaks are left
/// out, and URLs with line breaks are rejected.
enum HelperLines {
    static func joined(_ firstLines: [String], _ fields: [String: String]) -> [UInt8]? {
        guard firstLines.allSatisfy({ !$0.isEmpty && isWithinLine($0) }) else { return nil }
        var lines: [UInt8] = []
        for line in firstLines { lines += Array(line.utf8) + [lineFeed] }
        for (name, value) in fields where !name.utf8.contains(colon) && isWithinLine(name + value) {
            lines += Array("\(name): \(value)".utf8) + [lineFeed]
        }
        return lines + [lineFeed]
    }

    /// Returns the first `count` lines, and the fields up to the empty line; nil if any of these lines is missing or a
    /// field is malformed.
    static func split(_ bytes: some Sequence<UInt8>, firstLines count: Int) -> ([String], [String: String])? {
        let all = Array(bytes).split(separator: lineFeed, omittingEmptySubsequences: false)
        // Text after the last line feed does not count as a line.
        guard let end = all.dropLast().firstIndex(where: \.isEmpty), end >= count else { return nil }
        let lines = all[..<end]
        var fields: [String: String] = [:]
        for line in lines.dropFirst(count) {
            guard let end = line.firstIndex(of: colon), line[(end + 1)...].first == space else { return nil }
            fields[String(decoding: line[..<end], as: UTF8.self)] = String(
                decoding: line[(end + 2)...], as: UTF8.self)
        }
        return (lines.prefix(count).map { String(decoding: $0, as: UTF8.self) }, fields)
    }

    static let lineFeed = UInt8(ascii: "\n")
    private static let colon = UInt8(ascii: ":")
    private static let space = UInt8(ascii: " ")

    private static func isWithinLine(_ text: String) -> Bool {
        !text.utf8.contains { $0 == lineFeed || $0 == UInt8(ascii: "\r") || $0 == 0 }
    }
}

extension TransportRequest {
    /// The URL, deadline in seconds, body limit and header fields for the helper; nil if the URL is empty or has a line
    /// break.
    package var lines: [UInt8]? { HelperLines.joined([url, "\(deadlineSeconds)", "\(bodyLimit)"], headers) }

    /// Parses the output of ``lines``.
    package init?(lines: some Sequence<UInt8>) {
        guard let (first, headers) = HelperLines.split(lines, firstLines: 3), let seconds = Double(first[1]),
            (0...1e9).contains(seconds), let bodyLimit = Int(first[2])
        else { return nil }
        self.init(url: first[0], headers: headers, deadline: .seconds(seconds), bodyLimit: bodyLimit)
    }
}

extension TransportResponseHead {
    /// The head as the helper sends it: status code, URL and header fields; nil if the URL is empty or has a line
    /// break.
    package var lines: [UInt8]? { HelperLines.joined(["\(status)", url], headers) }

    /// Parses the output of ``lines``.
    init?(lines: some Sequence<UInt8>) {
        guard let (first, headers) = HelperLines.split(lines, firstLines: 2), let status = Int(first[0])
        else { return nil }
        self.init(status: status, headers: headers, url: first[1])
    }
}
