public import FoundationEssentials

/// Why a feed could not be fetched or read.
public enum FeedError: Error, Hashable, Sendable, Codable {
    /// A file, or standard input, cannot be read.
    case unreadable(path: String, reason: String)
    /// The document is not valid.
    case document(DocumentError, source: String)
    /// There was no answer.
    case transport(TransportError)
    /// The server answered with a status other than success.
    case status(Int, url: String)
    /// `host` asked clients to wait until a moment.
    case tryLater(Timestamp, status: Int, host: String)
    /// The address of the event service does not end with `/query`, so that its count has no address.
    case notTheAddressOfAQuery(String)
    /// The event service does not know a condition of the filter, named as in ``/QuakeModel/QuakeFilter``.
    case unsupportedCondition(String)

    /// Whether the same server may answer another request: it answered this one, but not with what was asked for.
    package var isOfThisRequestAlone: Bool {
        switch self {
        case .status, .document, .transport(.bodyTooLarge): true
        case .unreadable, .transport, .tryLater, .notTheAddressOfAQuery, .unsupportedCondition: false
        }
    }
}

/// Why a whole document is refused.
public enum DocumentError: Error, Hashable, Sendable, Codable {
    /// It has no bytes, or only white space.
    case empty
    /// It is in another format than GeoJSON.
    case otherFormat(OtherFormat)
    /// It ends before it is complete.
    case truncated(bytes: Int)
    /// It has another number of features than it says.
    case miscounted(found: Int, said: Int)
    /// It is not JSON; `offset` is the place of the first fault, in bytes.
    case notJSON(offset: Int, reason: String)
    /// It is JSON, but not a GeoJSON FeatureCollection.
    case notAFeatureCollection(found: String)
    /// It is JSON, but not the GeoJSON Feature that the event service answers with.
    case notAFeature(found: String)
    /// The document says that the source failed to make it.
    case sourceFailure(status: Int, title: String?)
    /// It is another feed than the one asked for.
    case otherFeed(asked: String, found: String)
    /// Its `generated` time is more than a day after now; every later snapshot would count as older.
    case fromTheFuture(generated: Timestamp, now: Timestamp)
    /// More than half of its quakes lie outside its own window.
    case outsideWindow(count: Int, of: Int, name: String)
    /// It has features that cannot be read, and none was to be skipped.
    case badFeatures([SkippedFeature])
    /// More than half of its features, and more than 20, cannot be read; `first` is one of them.
    case mostlyUnreadable(count: Int, of: Int, first: SkippedFeature)
    /// It has more than `limit` bytes.
    case tooLarge(limit: Int)
    /// It is about another quake than the one that was asked for.
    case otherQuake(asked: String, found: String)
}

/// A format that is not GeoJSON in UTF-8, recognized by its first bytes.
public enum OtherFormat: String, Hashable, Sendable, Codable {
    /// A web page, as proxies and captive portals send, or other XML, such as QuakeML.
    case webPage
    /// Archives of feeds are compressed.
    case gzip
    /// The feeds that USGS publishes as tables.
    case csv
    /// GeoJSON as the argument of a function.
    case jsonp
    case utf16

    /// Nil if `start`, which is not empty, may be JSON.
    init?(start: some Collection<UInt8>) {
        let bytes = Array(start.prefix(64))
        if bytes[0] == UInt8(ascii: "<") {
            self = .webPage
        } else if bytes.starts(with: [0x1F, 0x8B]) {
            self = .gzip
        } else if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) || bytes.prefix(2).contains(0) {
            self = .utf16
        } else if bytes.starts(with: "time,".utf8) {
            self = .csv
        } else if let call = bytes.firstIndex(of: UInt8(ascii: "(")), call > 0,
            bytes[..<call].allSatisfy({ Character(Unicode.Scalar($0)).isLetter || $0 == UInt8(ascii: "_") })
        {
            self = .jsonp
        } else {
            return nil
        }
    }

    fileprivate var words: String {
        switch self {
        case .webPage: "a web page or XML, not JSON"
        case .gzip: "compressed with gzip"
        case .csv: "CSV, not GeoJSON"
        case .jsonp: "JSONP, GeoJSON in the call of a function"
        case .utf16: "UTF-16, not UTF-8"
        }
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

    /// The feature at `position`.
    public init(position: Int, id: String?, defect: FeatureDefect) {
        (self.position, self.id, self.defect) = (position, id, defect)
    }
}

/// What is wrong with a feature.
public enum FeatureDefect: Error, Hashable, Sendable, Codable {
    /// It is not an object.
    case notAnObject
    /// It is not JSON.
    case notJSON(String)
    /// A required member is missing or null.
    case missing(String)
    /// A member has the wrong type.
    case wrongKind(member: String, expected: String)
    /// A number is outside the range of possible values.
    case outOfRange(member: String, value: String)
    /// The id is not network and code written together.
    case idMismatch(id: String, net: String, code: String)
    /// It has more bytes than a feature can need.
    case tooLarge(bytes: Int)
    /// The document lists the id twice; the first feature counts.
    case duplicate(id: String)
    /// There are more than `limit` versions of a product; the oldest are left out.
    case tooMany(limit: Int)

    /// The defect that JSONDecoder reported, by the member where it stopped.
    init(_ error: DecodingError) {
        switch error {
        case .keyNotFound(let key, _): self = .missing(key.stringValue)
        case .valueNotFound(_, let context):
            self = context.codingPath.member.map(FeatureDefect.missing) ?? .notAnObject
        case .typeMismatch(let type, let context):
            guard let member = context.codingPath.member else {
                self = .notAnObject
                return
            }
            self = .wrongKind(member: member, expected: FeatureDefect.words[ObjectIdentifier(type)] ?? "an object")
        case .dataCorrupted(let context): self = .notJSON(context.reason)
        @unknown default: self = .notJSON("\(error)")
        }
    }

    /// What a text must be whose value contains a zero character.
    static let textWithoutNUL = "a text without NUL"

    private static let words: [ObjectIdentifier: String] = [
        ObjectIdentifier(String.self): "a string", ObjectIdentifier(Double.self): "a number",
    ]
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
    /// What happened.
    public var errorDescription: String? { words }

    /// What happened.
    package var words: String {
        switch self {
        case .unreadable(let path, let reason): "Cannot read \(path): \(reason)."
        case .document(.outsideWindow(let count, let total, let name), let source) where name == source:
            "\(source) is not a valid feed: \(count) of its \(total) quakes lie outside the requested time range."
        case .document(.tooLarge(let limit), let source):
            "\(source) is larger than \(limit.limitWords), the limit for one feed."
        case .document(let error, let source): "\(source) is not a valid feed: \(error.words)."
        case .transport(let error): error.words
        case .status(let status, let url): "\(url) returned status \(status)."
        case .tryLater(let moment, let status, let host):
            "\(host) asked clients to wait until \(moment.momentWords) (status \(status))."
        case .notTheAddressOfAQuery(let url): "\(url) is not the URL of an event service."
        case .unsupportedCondition(let condition): "The event service cannot filter by \(condition)."
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

extension DocumentError {
    /// What is wrong with the document, as the end of a sentence.
    package var words: String {
        switch self {
        case .empty: "it is empty"
        case .otherFormat(let format): "it is \(format.words)"
        case .truncated(let bytes): "it ends early, after \(bytes.counted("byte"))"
        case .miscounted(let found, let said): "it has \(found) features but claims \(said)"
        case .notJSON(_, ""): "it is not JSON"
        case .notJSON(let offset, let reason): "it is not JSON (\(reason), at byte \(offset))"
        case .notAFeatureCollection(let found): "expected a FeatureCollection but found \(found)"
        case .notAFeature(let found): "it is \(found), not a Feature"
        case .sourceFailure(let status, let title):
            "it reports a failure (status \(status)\(title.map { ", \($0)" } ?? ""))"
        case .otherFeed(let asked, let found): "\(asked) was requested, but this is \(found)"
        case .fromTheFuture(let generated, let now):
            "it was generated at \(generated.momentWords), but this machine's clock shows \(now.momentWords)"
        case .outsideWindow(let count, let total, let name):
            "\(count) of its \(total) quakes lie outside the window of \(name)"
        case .mostlyUnreadable(let count, let total, let first):
            "\(count) of its \(total) features are unreadable, the first: \(first.words)"
        case .badFeatures(let skipped):
            "\(skipped.count) of its features are unreadable, the first: \(skipped.first?.words ?? "unknown")"
        case .tooLarge(let limit): "it is larger than \(limit.limitWords)"
        case .otherQuake(let asked, let found): "\(asked) was requested, but it describes \(found)"
        }
    }
}

extension SkippedFeature {
    /// The feature and what is wrong with it.
    package var words: String { "number \(position)\(id.map { " (\($0))" } ?? ""): \(defect.words)" }
}

extension FeatureDefect {
    /// What is wrong with the feature.
    package var words: String {
        switch self {
        case .notAnObject: "it is not an object"
        case .notJSON(""): "it is not JSON"
        case .notJSON(let reason): "it is not JSON (\(reason))"
        case .missing(let member): "\(member) is missing"
        case .wrongKind(let member, FeatureDefect.textWithoutNUL): "\(member) contains a NUL character"
        case .wrongKind(let member, let expected): "\(member) is not \(expected)"
        case .outOfRange(let member, let value): "\(member) cannot be \(value)"
        case .idMismatch(let id, let net, let code):
            "the id \(id) is not its network \(net) followed by its code \(code)"
        case .duplicate(let id): "\(id) is listed twice"
        case .tooLarge(let bytes): "it is too long (\(bytes) bytes)"
        case .tooMany(let limit): "it has more than \(limit) versions, of which the newest are kept"
        }
    }
}
