public import FoundationEssentials
import QuakeHTTP
import QuakeModel

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
        case .webPage: "it is a web page, not JSON"
        case .compressed: "it is compressed with gzip"
        case .truncated(let bytes): "it ends early, after \(bytes) bytes"
        case .miscounted(let found, let said): "it has \(found) features but claims \(said)"
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
        case .notJSON(let reason): "it is not JSON (\(reason))"
        case .missing(let member): "\(member) is missing"
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
