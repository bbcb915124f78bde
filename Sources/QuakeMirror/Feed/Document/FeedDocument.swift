public import FoundationEssentials

/// The decoded document of a feed, for programs that read feeds without keeping a mirror.
public struct FeedDocument: Sendable {
    /// The summary feed that the document claims to be, if any.
    public let feed: FeedName?
    /// The time at which the source made the document, in whole seconds.
    public let generated: Timestamp?
    /// The quakes, in document order, with every property.
    public let quakes: [Quake]
    /// The unreadable features, with the reasons.
    public let skipped: [SkippedFeature]

    /// Reads the GeoJSON in `body`.
    ///
    /// - Throws: ``DocumentError`` when the document is not the GeoJSON of a feed, or is truncated.
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
