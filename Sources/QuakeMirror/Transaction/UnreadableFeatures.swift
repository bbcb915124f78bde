/// The unreadable features of a document. If such a feature has an id, the id is in question. Without an id, the quake
/// cannot be requested, and the feature counts as not sent.
struct UnreadableFeatures {
    let idsInQuestion: [IDInQuestion]
    /// The number of features that count as not sent.
    let unsent: Int

    /// - Parameters:
    ///   - originTimes: the origin times that the document was to list.
    ///   - raised: the time of the document.
    init(_ skipped: [SkippedFeature], in originTimes: Range<Timestamp>, raised: Timestamp) {
        let unreadable = skipped.filter { !$0.isRepeated }
        idsInQuestion = unreadable.compactMap { feature in
            guard let id = feature.id, !id.isEmpty else { return nil }
            return IDInQuestion(id: id, originTimes: originTimes, reason: feature.defect.words, raised: raised)
        }
        unsent = unreadable.count - idsInQuestion.count
    }
}
