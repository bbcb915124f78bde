public import FoundationEssentials

/// The reason a feature cannot be read.
public struct FeatureDefect: Error, Hashable, Sendable, Encodable {
    /// The description of the defect, as the end of a sentence.
    package let words: String

    package init(_ words: String) { self.words = words }

    static func missing(_ member: String) -> FeatureDefect { FeatureDefect("\(member) is missing") }

    /// - Parameter value: The bad value, which the description quotes; nil if it is not available as text.
    static func wrongKind(member: String, value: String? = nil, expected: String) -> FeatureDefect {
        FeatureDefect("\(member)\(value.map { " \"\($0.prefix(40))\"" } ?? "") is not \(expected)")
    }

    static func outOfRange(member: String, value: String) -> FeatureDefect {
        FeatureDefect("\(member) cannot be \(value)")
    }

    /// The document lists the id twice; only the feature judged first counts.
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

    /// The member where decoding stopped, or the coordinate, such as `longitude`; nil for the feature itself.
    fileprivate var member: String? {
        guard let last = codingPath.last else { return nil }
        guard let index = last.intValue else { return last.stringValue }
        guard codingPath.dropLast().last?.stringValue == "coordinates" else { return nil }
        return ["longitude", "latitude", "depth"][min(index, 2)]
    }
}

/// A one-sentence description of a feature's defect.
extension FeatureDefect: LocalizedError {
    public var errorDescription: String? { "Unreadable feature: \(words)." }
}
