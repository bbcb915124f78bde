import FoundationEssentials
public import QuakeModel

/// What a document says of itself, beside its features.
public struct FeedEnvelope: Hashable, Sendable {
    /// The moment the source made the document, in whole seconds; orders snapshots (rule 10).
    public var generated: Timestamp?
    /// The address the source gives for it.
    public var url: String?
    /// How many features the source meant to send.
    public var count: Int?

    /// The summary feed the document is, by its own address.
    public var feedName: FeedName? { url.flatMap { FeedName(address: $0) } }

    /// Decodes the document around the features and refuses what must not be believed.
    init(decoding envelope: Data) throws(DocumentError) {
        let raw: Raw
        do {
            raw = try JSONDecoder().decode(Raw.self, from: envelope)
        } catch let error as DecodingError {
            throw FeedEnvelope.fault(error)
        } catch {
            throw .notJSON(offset: 0, reason: "\(error)")
        }
        guard raw.type == "FeatureCollection" else {
            throw .notAFeatureCollection(found: raw.type.map { "a \($0)" } ?? "an object without a type")
        }
        guard raw.features != nil else { throw .notAFeatureCollection(found: "a FeatureCollection without features") }
        if let status = raw.metadata?.status, status >= 400 {
            throw .sourceFailure(status: status, title: raw.metadata?.title)
        }
        generated = raw.metadata?.generated.map(Timestamp.init(milliseconds:))
        if let generated, !Timestamp.representable.contains(generated) {
            throw .notAFeatureCollection(found: "an object whose metadata.generated is no time")
        }
        url = raw.metadata?.url
        count = raw.metadata?.count
    }

    private struct Raw: Decodable {
        var type: String?
        var metadata: Metadata?
        var features: [Never?]?

        struct Metadata: Decodable {
            var generated: Int64?
            var url: String?
            var title: String?
            var status: Int?
            var count: Int?
        }
    }

    private static func fault(_ error: DecodingError) -> DocumentError {
        switch error {
        case .dataCorrupted(let context): return .notJSON(offset: 0, reason: context.debugDescription)
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context):
            let member = context.codingPath.map(\.stringValue).joined(separator: ".")
            return .notAFeatureCollection(found: "an object whose \(member) is of another kind")
        @unknown default: return .notJSON(offset: 0, reason: "\(error)")
        }
    }
}
