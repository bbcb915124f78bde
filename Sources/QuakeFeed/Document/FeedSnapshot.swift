public import FoundationEssentials
public import QuakeModel

/// One document of a feed, found to be whole: what it says of itself, and where its features lie.
public struct FeedSnapshot: Sendable {
    /// The name under which the cache remembers it: a summary feed's, or the address of something else.
    public let name: String
    /// The summary feed it is, if it is one.
    public let feed: FeedName?
    /// What the document says of itself.
    public let envelope: FeedEnvelope
    /// Where its features lie, in their order.
    public let features: [FeatureSpan]
    /// The bytes as they came.
    public let body: Data

    /// Reads `document`, which came from `source`: the address or file it was asked from.
    ///
    /// - Parameter asked: the summary feed that was asked for, if one was; another one in its place is refused.
    public init(_ document: FeedDocument, source: String, asked: FeedName? = nil) throws(DocumentError) {
        let scanner = try document.scan()
        envelope = try FeedEnvelope(decoding: scanner.envelope)
        feed = envelope.feedName ?? asked
        if let asked, let found = envelope.feedName, found != asked {
            throw .otherFeed(asked: asked.description, found: found.description)
        }
        name = feed?.description ?? envelope.url ?? source
        features = scanner.features
        body = document.bytes
    }

    /// The id of the feature at `index` as it stands in the bytes, nil when it has none or it holds escapes.
    public func id(at index: Int) -> String? {
        guard let range = features[index].idRange else { return nil }
        return body.withUnsafeBytes { bytes in
            let id = bytes[range]
            return id.contains(JSONByte.backslash) ? nil : String(decoding: id, as: UTF8.self)
        }
    }
}
