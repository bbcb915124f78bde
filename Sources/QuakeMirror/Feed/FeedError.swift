public import FoundationEssentials

/// The reason a feed could not be fetched or read.
public enum FeedError: Error, Hashable, Sendable, Codable {
    /// A file or standard input cannot be read.
    case unreadable(path: String, reason: String)
    /// The document is not valid.
    case document(DocumentError, source: String)
    /// There was no response.
    case transport(TransportError)
    /// The server responded with an error status.
    case status(Int, url: String)
    /// The server `host` asked clients to wait until the given time.
    case tryLater(Timestamp, status: Int, host: String)
    /// The event service does not support the query, for the reason given in one sentence.
    case unusableQuery(String)

    /// Whether the error concerns only this request, so that the same server may handle another one.
    package var isOfThisRequestAlone: Bool {
        switch self {
        case .status, .document: true
        case .transport(let error): error.kind == .bodyTooLarge
        case .unreadable, .tryLater, .unusableQuery: false
        }
    }
}

/// The reason a whole document was rejected. It has a kind for programs and a description for people.
public struct DocumentError: Error, Hashable, Sendable, Codable {
    /// The kinds of errors that programs can distinguish.
    public enum Kind: String, Hashable, Sendable, Codable {
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
    /// The unreadable features, if none may be skipped.
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

    static func older(asOf time: Timestamp) -> DocumentError {
        DocumentError(.unsuitable, "it is as of \(time.momentWords), older than the response in the cache")
    }

    static func notAFeature(found: String) -> DocumentError {
        DocumentError(.unsuitable, "it is \(found), not a Feature")
    }

    package static let compressed = DocumentError(
        .unsuitable, "it is compressed with gzip", remedy: "Decompress it first, for example with gzip -dc.")

    static func tooLarge(limit: Int) -> DocumentError {
        DocumentError(.tooLarge, "it is larger than \(limit.limitWords)", remedy: "Split it by time.")
    }

    package static func other(asked: String, found: String) -> DocumentError {
        DocumentError(.unsuitable, "\(asked) was requested, but this is \(found)")
    }

    package static func badFeatures(_ skipped: [SkippedFeature]) -> DocumentError {
        let first = skipped.first?.words ?? "unknown"
        let link = skipped.count == 1 ? ":" : ", starting with"
        return DocumentError(
            .badFeatures, "it has \(skipped.count.counted("unreadable feature"))\(link) \(first)", skipped: skipped)
    }

    /// Returns an error for a document whose first bytes show a format other than UTF-8 GeoJSON; nil if `start`, which
    /// must not be empty, may be JSON.
    static func otherFormat(start: some Collection<UInt8>) -> DocumentError? {
        let bytes = Array(start.prefix(64))
        if bytes[0] == UInt8(ascii: "<") {
            // Proxies and captive portals send web pages, and QuakeML is XML.
            return DocumentError(.broken, "it is a web page or XML, not JSON")
        } else if bytes.starts(with: [0x1F, 0x8B]) {
            return compressed
        } else if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) || bytes.prefix(2).contains(0) {
            return DocumentError(
                .unsuitable, "it is UTF-16, not UTF-8",
                remedy: "Convert it first, for example with iconv -f UTF-16 -t UTF-8.")
        }
        let call = bytes.firstIndex(of: UInt8(ascii: "(")) ?? 0
        let isCall = call > 0 && bytes[..<call].allSatisfy { Character(Unicode.Scalar($0)).isLetter || $0 == 0x5F }
        guard isCall || bytes.starts(with: "time,".utf8) else { return nil }
        return DocumentError(
            .unsuitable, isCall ? "it is JSONP (GeoJSON wrapped in a function call)" : "it is CSV, not GeoJSON",
            remedy: "Fetch GeoJSON instead: all_day.geojson, or a query with format=geojson.")
    }
}

/// A feature that could not be read, and the reason.
public struct SkippedFeature: Hashable, Sendable, Codable {
    /// The feature's position in the document, counted from 1.
    public var position: Int
    /// The feature's id; nil if the id is unreadable.
    public var id: String?
    /// The defect that makes the feature unreadable.
    public var defect: FeatureDefect
}

/// The reason a feature cannot be read.
public struct FeatureDefect: Error, Hashable, Sendable, Codable {
    /// The description of the defect, as the end of a sentence.
    package let words: String

    package init(_ words: String) { self.words = words }

    static func missing(_ member: String) -> FeatureDefect { FeatureDefect("\(member) is missing") }

    static func wrongKind(member: String, expected: String) -> FeatureDefect {
        FeatureDefect("\(member) is not \(expected)")
    }

    static func outOfRange(member: String, value: String) -> FeatureDefect {
        FeatureDefect("\(member) cannot be \(value)")
    }

    /// The document lists the id twice; only the first feature counts.
    package static func duplicate(id: String) -> FeatureDefect { FeatureDefect("\(id) is listed twice") }

    static func notJSON(_ reason: String) -> FeatureDefect {
        FeatureDefect("it is not JSON" + (reason.isEmpty ? "" : " (\(reason))"))
    }

    /// Creates a defect from a JSONDecoder error, naming the member where decoding stopped.
    init(_ error: DecodingError) {
        switch error {
        case .keyNotFound(let key, _): self = .missing(key.stringValue)
        case .valueNotFound(_, let context): self = context.member.map(Self.missing) ?? .notAnObject
        case .typeMismatch(let type, let context):
            let expected = type == String.self ? "a string" : type == Double.self ? "a number" : "an object"
            self = context.member.map { .wrongKind(member: $0, expected: expected) } ?? .notAnObject
        case .dataCorrupted(let context): self = .notJSON(context.reason)
        @unknown default: self = .notJSON("\(error)")
        }
    }

    private static let notAnObject = FeatureDefect("it is not an object")
}

extension DecodingError.Context {
    /// The decoder's description of the error; empty if it only says that the data is not JSON.
    var reason: String { debugDescription == "The given data was not valid JSON." ? "" : debugDescription }

    /// The member where decoding stopped, with coordinates named by their meaning; nil for the feature itself.
    fileprivate var member: String? {
        guard let last = codingPath.last else { return nil }
        guard let index = last.intValue else { return last.stringValue }
        guard codingPath.dropLast().last?.stringValue == "coordinates" else { return nil }
        return ["longitude", "latitude", "depth"][min(index, 2)]
    }
}

/// A one-sentence description. Any advice to the user is left to the program.
extension FeedError: LocalizedError {
    public var errorDescription: String? { words }

    package var words: String {
        switch self {
        case .unreadable(let path, let reason): "Cannot read \(path): \(reason)."
        case .document(let error, let source) where EventEndpoint.isRequest(source):
            "The response from \(source) is not valid: \(error.words)."
        case .document(let error, let source): "\(source) is not a valid feed: \(error.words)."
        case .transport(let error): error.words
        case .status(let status, let url): "\(url) returned status \(status)."
        case .tryLater(let moment, let status, let host):
            "\(host) asked clients to wait until \(moment.momentWords) (status \(status))."
        case .unusableQuery(let words): words
        }
    }
}

/// A one-sentence description, which does not name the document.
extension DocumentError: LocalizedError {
    public var errorDescription: String? { "The document is not a valid feed: \(words)." }
}

/// A one-sentence description of a feature's defect.
extension FeatureDefect: LocalizedError {
    public var errorDescription: String? { "Unreadable feature: \(words)." }
}

extension SkippedFeature {
    /// The position and id of the feature, with its defect.
    package var words: String {
        let name = position == 0 ? id ?? "" : "entry \(position)\(id.map { " (\($0))" } ?? "")"
        return "\(name): \(defect.words)"
    }
}
