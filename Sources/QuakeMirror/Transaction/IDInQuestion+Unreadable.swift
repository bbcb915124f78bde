extension IDInQuestion {
    /// Returns the ids of a document's unreadable features as ids in question. The event service cannot be asked about
    /// a feature without an id.
    ///
    /// - Parameters:
    ///   - skipped: the features that were skipped.
    ///   - originTimes: the origin times that the document should list.
    ///   - raised: the time of the document.
    static func unreadable(
        _ skipped: [SkippedFeature], in originTimes: Range<Timestamp>, raised: Timestamp
    ) -> [IDInQuestion] {
        skipped.compactMap { feature in
            guard !feature.isRepeated, let id = feature.id, !id.isEmpty else { return nil }
            return IDInQuestion(id: id, originTimes: originTimes, reason: feature.defect.words, raised: raised)
        }
    }
}
