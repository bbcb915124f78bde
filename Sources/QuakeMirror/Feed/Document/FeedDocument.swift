public import FoundationEssentials

/// A document of a feed, decoded: for programs that read feeds and keep no mirror.
public struct FeedDocument: Sendable {
    /// The summary feed that the document says it is, if any.
    public let feed: FeedName?
    /// When the source made it, in whole seconds.
    public let generated: Timestamp?
    /// Its quakes, in its order, with every property.
    public let quakes: [Quake]
    /// The features that cannot be read, and why.
    public let skipped: [SkippedFeature]

    /// Reads the GeoJSON in `body`.
    ///
    /// - Throws: a document that is not the GeoJSON of a feed, or not complete.
    public init(_ body: Data) throws(DocumentError) {
        let snapshot = try FeedSnapshot(body, source: "")
        var quakes: [Quake] = []
        var skipped: [SkippedFeature] = []
        FeatureDecoder(snapshot, indices: Array(snapshot.features.indices)).forEach { decoded in
            switch decoded.result {
            case .success(let quake): quakes.append(quake)
            case .failure(let defect):
                skipped.append(
                    SkippedFeature(position: decoded.index + 1, id: snapshot.id(at: decoded.index), defect: defect))
            }
        }
        feed = snapshot.envelope.feedName
        generated = snapshot.envelope.generated
        (self.quakes, self.skipped) = (quakes, skipped)
    }
}
