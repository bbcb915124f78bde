package import FoundationEssentials

/// A scanned document from a feed, the event service or a file: its source, its time, and the locations of its
/// features.
package struct FeedSnapshot: Sendable {
    /// The address of the request, without credentials; for a file, the address given in the document, or else the
    /// file's path.
    let address: String
    package let feed: FeedName?
    package let envelope: FeedEnvelope
    /// The validators for the next conditional request.
    let validators: CacheValidators
    /// The properties about which the document says nothing. They keep their cached values (rule 24). Empty for GeoJSON.
    let lacks: Set<QuakeProperty>
    /// The time at which the document was made, according to the document or the server. It is shown, and the period of
    /// a feed ends there.
    let published: Timestamp
    /// The time by which documents are ordered (rule 10) and as of which they reflect the source's data. A document is
    /// never newer than the response that brought it.
    let sourceTime: Timestamp
    /// The locations of the features, in document order.
    package let features: [FeatureSpan]
    package let body: Data

    /// Reads `body`, which came from `source`, an address or a file.
    ///
    /// - Parameters:
    ///   - asked: the summary feed that was requested, if any; any other feed is rejected.
    ///   - validators: the validators of the response.
    ///   - received: the time of the response by the server's clock or, if it gave none, by this machine's.
    package init(
        _ body: Data, source: String, asked: FeedName? = nil, validators: CacheValidators = CacheValidators(),
        received: Timestamp = .now
    ) throws(DocumentError) {
        let scanner = try FeatureScanner(body)
        envelope = try FeedEnvelope(decoding: scanner.envelope)
        feed = envelope.feedName ?? asked
        if let asked, let found = envelope.feedName, found != asked {
            throw .other(asked: asked.description, found: found.description)
        }
        address = source.contains("://") ? source : envelope.url ?? source
        self.validators = validators
        lacks = []
        published = envelope.generated ?? received
        sourceTime = min(published, received)
        features = scanner.features
        self.body = body
    }

    /// The name under which the cache records the document: that of a summary feed, or else its address.
    package var name: String { feed?.description ?? address }

    /// The origin times that the document covers, if it is a summary feed.
    var window: ClosedRange<Timestamp>? { feed.map { published - $0.period.window...published } }

    /// Whether the actual number of features matches the document's own count.
    var isWhole: Bool { envelope.count.map { $0 == features.count } ?? true }

    /// Returns the id of the feature at `index` as written; nil if it is missing, contains escapes, or is too long.
    package func id(at index: Int) -> String? {
        guard let range = features[index].idRange, range.count <= Quake.mostIDBytes else { return nil }
        return body.withUnsafeBytes { bytes in
            let id = bytes[range]
            return id.contains(JSONByte.backslash) ? nil : String(decoding: id, as: UTF8.self)
        }
    }
}
