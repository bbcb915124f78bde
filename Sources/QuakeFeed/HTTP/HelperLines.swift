/// What `quakes` and `quakes-fetch` say to each other: a few lines, each field of HTTP one of them, and an empty one at the end.
///
/// Need: a download waits for every step of this conversation, and JSONEncoder and JSONDecoder take 2 ms for it, most of them
/// to begin. Hazard: a line break within a value would be a line of its own; what holds one is refused, or left out.
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

    /// The first `count` lines and the fields in `bytes`, up to the empty line. Nil when they do not come to it, or something else than
    /// fields is before it.
    static func split(_ bytes: some Sequence<UInt8>, firstLines count: Int) -> ([String], [String: String])? {
        let all = Array(bytes).split(separator: lineFeed, omittingEmptySubsequences: false)
        // What is behind the last line feed is no line.
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

extension HTTPRequest {
    /// The request as its helper reads it: address, deadline in seconds, limit, header fields. Nil when the address is no single line.
    public var lines: [UInt8]? {
        HelperLines.joined([url, "\(deadlineSeconds)", "\(bodyLimit)"], headers)
    }

    /// The request that ``lines`` stands for.
    public init?(lines: some Sequence<UInt8>) {
        guard let (first, headers) = HelperLines.split(lines, firstLines: 3), let seconds = Double(first[1]),
            (0...1e9).contains(seconds), let bodyLimit = Int(first[2])
        else { return nil }
        self.init(url: first[0], headers: headers, deadline: .seconds(seconds), bodyLimit: bodyLimit)
    }
}

extension HTTPResponseHead {
    /// The head as the helper's user reads it: status code, address, header fields. Nil when the address is no single line.
    public var lines: [UInt8]? {
        HelperLines.joined(["\(status)", url], headers)
    }

    /// The head that ``lines`` stands for.
    init?(lines: some Sequence<UInt8>) {
        guard let (first, headers) = HelperLines.split(lines, firstLines: 2), let status = Int(first[0])
        else { return nil }
        self.init(status: status, headers: headers, url: first[1])
    }
}
