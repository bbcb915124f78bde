public import FoundationEssentials

/// Why a feed could not be fetched or read.
public enum FeedError: Error, Hashable, Sendable, Codable {
    /// A file, or standard input, cannot be read.
    case unreadable(path: String, reason: String)
    /// The document is not valid.
    case document(DocumentError, source: String)
    /// There was no response.
    case transport(TransportError)
    /// The server answered with a status other than success.
    case status(Int, url: String)
    /// `host` asked clients to wait until a moment.
    case tryLater(Timestamp, status: Int, host: String)
    /// The event service cannot be asked so: a sentence says why.
    case unusableQuery(String)

    /// Whether the same server may answer another request: it answered this one, but not with what was asked for.
    package var isOfThisRequestAlone: Bool {
        switch self {
        case .status, .document: true
        case .transport(let error): error.kind == .bodyTooLarge
        case .unreadable, .tryLater, .unusableQuery: false
        }
    }
}

/// Why a whole document is refused: what a program tells apart, and words for people.
public struct DocumentError: Error, Hashable, Sendable, Codable {
    /// What a program tells apart.
    public enum Kind: String, Hashable, Sendable, Codable {
        /// Its text is empty, cut short or not JSON, or it reports a failure: the next answer may be whole.
        case broken
        /// It has too many bytes.
        case tooLarge
        /// It has features that cannot be read, and none was to be skipped.
        case badFeatures
        /// It is something else than what was asked for.
        case unsuitable
    }

    /// What a program tells apart.
    public let kind: Kind
    /// What is wrong with the document, as the end of a sentence.
    package let words: String
    /// What to do about it, in one sentence; nil if nothing can be done.
    public let remedy: String?
    /// The features that cannot be read, where none was to be skipped.
    public let skipped: [SkippedFeature]

    package init(_ kind: Kind, _ words: String, remedy: String? = nil, skipped: [SkippedFeature] = []) {
        (self.kind, self.words, self.remedy, self.skipped) = (kind, words, remedy, skipped)
    }
}

extension DocumentError {
    package static let empty = DocumentError(.broken, "it is empty")

    static func truncated(bytes: Int) -> DocumentError {
        DocumentError(.broken, "it ends early, after \(bytes.counted("byte"))")
    }

    /// `offset` is the place of the first fault, in bytes.
    static func notJSON(offset: Int, reason: String) -> DocumentError {
        DocumentError(.broken, "it is not JSON" + (reason.isEmpty ? "" : " (\(reason), at byte \(offset))"))
    }

    static func notAFeatureCollection(found: String) -> DocumentError {
        DocumentError(.unsuitable, "expected a FeatureCollection but found \(found)")
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
        return DocumentError(
            .badFeatures, "\(skipped.count) of its features are unreadable, the first: \(first)", skipped: skipped)
    }

    /// A document in another format than GeoJSON in UTF-8, by its first bytes; nil if `start`, which is not empty, may
    /// be JSON.
    static func otherFormat(start: some Collection<UInt8>) -> DocumentError? {
        let bytes = Array(start.prefix(64))
        if bytes[0] == UInt8(ascii: "<") {
            // As proxies and captive portals send, or QuakeML.
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
            .unsuitable, isCall ? "it is JSONP, GeoJSON wrapped in a function call" : "it is CSV, not GeoJSON",
            remedy: "Fetch GeoJSON instead: all_day.geojson, or a query with format=geojson.")
    }
}

/// A feature that could not be read, and why.
public struct SkippedFeature: Hashable, Sendable, Codable {
    /// Counted from 1 in the order of the document.
    public var position: Int
    /// Its id, if that could be read.
    public var id: String?
    /// What is wrong with it.
    public var defect: FeatureDefect

    public init(position: Int, id: String?, defect: FeatureDefect) {
        (self.position, self.id, self.defect) = (position, id, defect)
    }
}

/// What is wrong with a feature.
public struct FeatureDefect: Error, Hashable, Sendable, Codable {
    /// What is wrong, as the end of a sentence.
    package let words: String

    package init(_ words: String) { self.words = words }

    static func missing(_ member: String) -> FeatureDefect { FeatureDefect("\(member) is missing") }

    static func wrongKind(member: String, expected: String) -> FeatureDefect {
        FeatureDefect("\(member) is not \(expected)")
    }

    static func outOfRange(member: String, value: String) -> FeatureDefect {
        FeatureDefect("\(member) cannot be \(value)")
    }

    /// The document lists the id twice; the first feature counts.
    package static func duplicate(id: String) -> FeatureDefect { FeatureDefect("\(id) is listed twice") }

    static func notJSON(_ reason: String) -> FeatureDefect {
        FeatureDefect("it is not JSON" + (reason.isEmpty ? "" : " (\(reason))"))
    }

    /// The defect that JSONDecoder reported, by the member where it stopped.
    init(_ error: DecodingError) {
        let context: DecodingError.Context
        var expected: String?
        switch error {
        case .keyNotFound(let key, _):
            self = .missing(key.stringValue)
            return
        case .valueNotFound(_, let found): context = found
        case .typeMismatch(let type, let found):
            context = found
            expected = type == String.self ? "a string" : type == Double.self ? "a number" : "an object"
        case .dataCorrupted(let context):
            self = .notJSON(context.reason)
            return
        @unknown default:
            self = .notJSON("\(error)")
            return
        }
        guard let member = context.codingPath.member else {
            self.init("it is not an object")
            return
        }
        self = expected.map { .wrongKind(member: member, expected: $0) } ?? .missing(member)
    }
}

extension DecodingError.Context {
    /// What is wrong with the text, unless it is only that it is not JSON.
    var reason: String { debugDescription == "The given data was not valid JSON." ? "" : debugDescription }
}

extension [any CodingKey] {
    /// The member at the end of the path; a coordinate by its meaning. Nil for the feature itself.
    fileprivate var member: String? {
        guard let last else { return nil }
        guard let index = last.intValue else { return last.stringValue }
        guard count > 1, self[count - 2].stringValue == "coordinates" else { return nil }
        return ["longitude", "latitude", "depth"][Swift.min(index, 2)]
    }
}

/// One sentence. What a user should do about it, a program says itself.
extension FeedError: LocalizedError {
    public var errorDescription: String? { words }

    /// What happened.
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

/// One sentence about a document whose address the caller knows.
extension DocumentError: LocalizedError {
    /// What is wrong with the document.
    public var errorDescription: String? { "The document is not a valid feed: \(words)." }
}

/// One sentence about a feature.
extension FeatureDefect: LocalizedError {
    /// What is wrong with the feature.
    public var errorDescription: String? { "Unreadable feature: \(words)." }
}

extension SkippedFeature {
    /// The feature and what is wrong with it.
    package var words: String { "number \(position)\(id.map { " (\($0))" } ?? ""): \(defect.words)" }
}
