import QuakeStore

extension FeedRecord {
    /// The source in a few words: `all_week`, `query: M ≥ 4.5, 1990–2000`, `file: archive/a.geojson`.
    var title: String { SourceWords(name).text }
}

/// The name of a source, which may be an address of hundreds of characters, in a few words.
struct SourceWords {
    let text: String

    private static let host = "earthquake.usgs.gov"
    private static let limit = 100

    /// The words for the source that the cache remembers as `name`.
    init(_ name: String) {
        switch SourceName(name) {
        case .feed, .service, .standardInput: text = name
        case .address: text = Self.shortened(Self.words(forAddress: name))
        // The end of a long path tells more than its start.
        case .file: text = "file: " + (name.count > Self.limit ? "…" + name.suffix(Self.limit - 1) : name)
        }
    }

    private static func shortened(_ words: String) -> String {
        words.count > limit ? words.prefix(limit - 1) + "…" : words
    }

    private static func words(forAddress address: String) -> String {
        let parts = address.split(separator: "?", maxSplits: 1)
        let place = parts[0].drop { $0 != ":" }.drop { ":/".contains($0) }
        guard parts.count == 2 else { return "URL: \(place)" }
        let isUSGS = place.prefix { $0 != "/" } == host
        return "query: " + QueryWords(parts[1]).text + (isUSGS ? "" : " at \(place.prefix { $0 != "/" })")
    }
}

/// The parameters of a query of the event service: `M ≥ 4.5, 1990–2000, lat 10 to 20`.
private struct QueryWords {
    private var parameters: [(name: String, value: String)] = []

    /// Parameters that choose how the answer is written, and not which quakes are in it.
    private static let formal: Set<String> = ["format", "callback", "jsonerror", "nodata", "orderby"]

    /// Values that are left out: as many rows as the service sends, from the first.
    private static let standard = ["limit": "20000", "offset": "1"]

    init(_ query: Substring) {
        for part in query.split(separator: "&") {
            let sides = part.split(separator: "=", maxSplits: 1).map { Self.decoded($0) }
            guard let name = sides.first?.lowercased(), !Self.formal.contains(name) else { continue }
            let value = sides.count == 2 ? sides[1] : ""
            guard Self.standard[name] != value else { continue }
            parameters.append((name, value))
        }
    }

    var text: String {
        var rest = self
        var words = [
            rest.range("M", ["minmagnitude", "minmag"], ["maxmagnitude", "maxmag"]),
            rest.time(["starttime", "start"], ["endtime", "end"]),
            rest.range("depth", ["mindepth"], ["maxdepth"]),
            rest.range("lat", ["minlatitude", "minlat"], ["maxlatitude", "maxlat"]),
            rest.range("lon", ["minlongitude", "minlon"], ["maxlongitude", "maxlon"]),
        ].compactMap { $0 }
        words += rest.parameters.map { $0.value.isEmpty ? $0.name : "\($0.name) \($0.value)" }
        return words.isEmpty ? "all" : words.joined(separator: ", ")
    }

    /// Takes the first parameter with one of these names out of the list.
    private mutating func take(_ names: [String]) -> String? {
        parameters.firstIndex { names.contains($0.name) }.map { parameters.remove(at: $0).value }
    }

    private mutating func range(_ title: String, _ least: [String], _ most: [String]) -> String? {
        switch (take(least), take(most)) {
        case (nil, nil): nil
        case (let least?, nil): "\(title) ≥ \(least)"
        case (nil, let most?): "\(title) ≤ \(most)"
        case (let least?, let most?): "\(title) \(least) to \(most)"
        }
    }

    private mutating func time(_ start: [String], _ end: [String]) -> String? {
        switch (take(start).map(Self.shortTime), take(end).map(Self.shortTime)) {
        case (nil, nil): nil
        case (let start?, nil): "since \(start)"
        case (nil, let end?): "until \(end)"
        case (let start?, let end?): start.count > 4 || end.count > 4 ? "\(start) to \(end)" : "\(start)–\(end)"
        }
    }

    /// The time without the parts at its end that say nothing: `1990-01-01T00:00:00Z` is `1990`.
    private static func shortTime(_ text: String) -> String {
        var text = text[...]
        for ending in ["Z", "+00:00", ".000", ":00", "T00:00", "-01-01"] where text.hasSuffix(ending) {
            text = text.dropLast(ending.count)
        }
        return String(text)
    }

    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
