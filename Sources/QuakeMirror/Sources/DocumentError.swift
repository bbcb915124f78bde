public import FoundationEssentials

/// The reason a whole document was rejected. It has a kind for programs and a description for people.
public struct DocumentError: Error, Hashable, Sendable, Encodable {
    /// The kinds of errors that programs can distinguish.
    public enum Kind: String, Hashable, Sendable, Encodable {
        /// The document is empty, truncated, not JSON, or reports a failure. The next response may be valid.
        case broken
        /// The document has too many bytes.
        case tooLarge
        /// The document has unreadable features, and none may be skipped.
        case badFeatures
        /// The document is not what was requested.
        case unsuitable
    }

    public let kind: Kind
    /// The description of the problem, as the end of a sentence.
    package let words: String
    /// The remedy, in one sentence; nil if there is none.
    package let remedy: String?
    /// The unreadable features, if none may be skipped; otherwise empty.
    public let skipped: [SkippedFeature]

    package init(_ kind: Kind, _ words: String, remedy: String? = nil, skipped: [SkippedFeature] = []) {
        self.kind = kind
        self.words = words
        self.remedy = remedy
        self.skipped = skipped
    }
}

extension DocumentError {
    package static let empty = DocumentError(.broken, "it is empty")

    static func truncated(bytes: Int) -> DocumentError {
        DocumentError(.broken, "it ends early, after \(bytes.counted("byte"))")
    }

    /// `offset` is the position of the first error, in bytes.
    static func notJSON(offset: Int, reason: String) -> DocumentError {
        DocumentError(.broken, "it is not JSON" + (reason.isEmpty ? "" : " (\(reason), at byte \(offset))"))
    }

    static func notAFeatureCollection(found: String) -> DocumentError {
        DocumentError(.unsuitable, "expected a FeatureCollection but found \(found)")
    }

    /// The event service does not provide uncertainties, for a reason given as a clause.
    static func noUncertainties(_ reason: String) -> DocumentError {
        DocumentError(
            .unsuitable, "it has no uncertainties (\(reason))",
            remedy: "To update the quakes without them, first run `quakes backfill --forget --uncertainties`.")
    }

    static func older(asOf time: Timestamp) -> DocumentError {
        DocumentError(.unsuitable, "it is as of \(time.momentWords), older than the response in the cache")
    }

    static func notAFeature(found: String) -> DocumentError {
        DocumentError(.unsuitable, "it is \(found), not a Feature")
    }

    static let withoutProducts = DocumentError(.unsuitable, "the Feature has no product that can be read")

    package static let compressed = DocumentError(
        .unsuitable, "it is compressed with gzip", remedy: "Decompress it first, for example with gzip -dc.")

    static func tooLarge(limit: Int) -> DocumentError {
        DocumentError(.tooLarge, "it is larger than \(limit.limitWords)", remedy: "Split it by time.")
    }

    package static func otherDocument(asked: String, found: String) -> DocumentError {
        DocumentError(.unsuitable, "\(asked) was requested, but this is \(found)")
    }

    package static func badFeatures(_ skipped: [SkippedFeature]) -> DocumentError {
        let first = skipped.first?.words ?? "unknown"
        let link = skipped.count == 1 ? ":" : ", starting with"
        return DocumentError(
            .badFeatures, "it has \(skipped.count.counted("unreadable quake"))\(link) \(first)", skipped: skipped)
    }

    /// - Parameter required: the columns that every document has.
    static func unnamedColumns(required: [String]) -> DocumentError {
        DocumentError(
            .unsuitable, "it is neither GeoJSON nor CSV with the columns of the USGS feeds in its first line",
            remedy: remedy(forColumns: required))
    }

    static func missingColumns(_ names: [String], of required: [String]) -> DocumentError {
        let columns = names.count == 1 ? "column" : "columns"
        return DocumentError(
            .unsuitable, "it is CSV without the \(columns) \(names.joined(separator: ", "))",
            remedy: remedy(forColumns: required))
    }

    /// - Parameter line: the first line that is not UTF-8.
    static func notUTF8(line: UInt32) -> DocumentError {
        DocumentError(
            .unsuitable, "its line \(line) is not UTF-8",
            remedy: "Convert it first, for example with iconv -f WINDOWS-1252 -t UTF-8.")
    }

    /// A CSV document that the caller dates before its oldest quake.
    static func originsLater(from oldest: Timestamp) -> DocumentError {
        DocumentError(
            .unsuitable, "its oldest quake, at \(oldest.minuteWords) UTC, is later than the publication time given",
            remedy: "Give the time at which it was downloaded.")
    }

    static func repeatedColumn(_ name: String) -> DocumentError {
        DocumentError(.unsuitable, "its column \(name) is repeated")
    }

    private static func remedy(forColumns required: [String]) -> String {
        "CSV needs at least the columns \(required.joined(separator: ", "))."
    }

    static func wrongSeparators(by separators: String) -> DocumentError {
        DocumentError(
            .unsuitable, "its columns are separated by \(separators)",
            remedy: "Save it with commas between the columns and periods in the numbers.")
    }

    static func tooManyRows(limit: Int) -> DocumentError {
        DocumentError(.tooLarge, "it has more than \(limit) rows", remedy: "Split it by time.")
    }

    /// GeoJSON whose time the caller wants to set.
    package static let geoJSONTimeIsFixed = DocumentError(
        .unsuitable, "it is GeoJSON, which states when it was published",
        remedy: "The time can be set only for CSV.")

    /// Returns an error for a document whose first bytes show a format other than GeoJSON or CSV in UTF-8; nil if the
    /// document may be GeoJSON or CSV. `start`, the first bytes, must not be empty.
    static func otherFormat(start: some Collection<UInt8>) -> DocumentError? {
        let bytes = Array(start.prefix(64))
        if bytes[0] == UInt8(ascii: "<") {
            // Proxies and captive portals send web pages, and QuakeML is XML.
            return DocumentError(.broken, "it is a web page or XML, not JSON")
        } else if bytes.starts(with: [0x1F, 0x8B]) {
            return compressed
        } else if bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
            return DocumentError(.unsuitable, "it is a zip archive", remedy: "Extract it first.")
        } else if bytes.allSatisfy({ $0 == 0 }) {
            return DocumentError(.broken, "it begins with zero bytes")
        } else if bytes.starts(with: "SQLite format 3".utf8) {
            return DocumentError(
                .unsuitable, "it is a SQLite database", remedy: "`quakes restore` restores a backup of the cache.")
        } else if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) || bytes.prefix(2).contains(0) {
            return DocumentError(
                .unsuitable, "it is UTF-16, not UTF-8",
                remedy: "Convert it first, for example with iconv -f UTF-16 -t UTF-8.")
        }
        let line = String(decoding: start.prefix(1000).prefix { !"\r\n".utf8.contains($0) }, as: UTF8.self)
        for (separator, name) in [(Character(";"), "semicolons"), ("\t", "tabs"), ("|", "vertical bars")] {
            let columns = line.lowercased().filter { !"\" ".contains($0) }.split(separator: separator)
            if columns.count > 1, columns.contains("time") { return wrongSeparators(by: name) }
        }
        let call = bytes.firstIndex(of: UInt8(ascii: "(")) ?? 0
        let isCall = call > 0 && bytes[..<call].allSatisfy { Character(Unicode.Scalar($0)).isLetter || $0 == 0x5F }
        guard isCall else { return nil }
        return DocumentError(
            .unsuitable, "it is JSONP (GeoJSON wrapped in a function call)",
            remedy: "Fetch GeoJSON instead: all_day.geojson, or a query with format=geojson.")
    }
}

/// A one-sentence description, which does not name the document.
extension DocumentError: LocalizedError {
    public var errorDescription: String? { "The document is not a valid feed: \(words)." }
}
