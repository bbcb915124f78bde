public import FoundationEssentials

/// A decoded feed document, for programs that read feeds without keeping a mirror.
public struct FeedDocument: Sendable {
    /// The summary feed that the document names as its source, if any.
    public let feed: FeedName?
    /// The time at which the source generated the document, in whole seconds; nil if the document does not contain it.
    /// For CSV, the newest update time in the document that is not in the future.
    public let generated: Timestamp?
    /// The quakes, in document order, with every property.
    public let quakes: [Quake]
    /// The unreadable features, with the reasons.
    public let skipped: [SkippedFeature]

    /// Decodes the GeoJSON or CSV in `body`.
    ///
    /// - Throws: ``DocumentError`` if the document is truncated or is not the GeoJSON or CSV of a feed.
    public init(_ body: Data) throws(DocumentError) {
        let snapshot = try FeedSnapshot(body, source: "")
        var quakes: [Quake] = []
        var skipped: [SkippedFeature] = []
        FeatureDecoder(snapshot, indices: Array(snapshot.features.indices)).forEach { decoded in
            switch decoded.result {
            case .success(let quake): quakes.append(quake)
            case .failure(let defect): skipped.append(snapshot.skippedFeature(at: decoded.index, defect))
            }
        }
        feed = snapshot.envelope.feedName
        generated = snapshot.envelope.generated
        self.quakes = quakes
        self.skipped = skipped
    }
}
