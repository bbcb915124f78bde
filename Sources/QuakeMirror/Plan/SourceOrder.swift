package enum SourceOrder {
    /// Sorts files by the time they were generated, so that stored snapshots form a history in the right order. All
    /// other sources keep their positions. Unreadable files come last, so that the other sources are applied before the
    /// run fails.
    package static func sorted(_ sources: [FeedSource]) -> [FeedSource] {
        guard sources.count > 1 else { return sources }
        // A pipe can be read only once, and not before its turn.
        let files = sources.enumerated().filter { $0.element.isRegularFile }
        let dated = files.map { (source: $0.element, moment: generated($0.element)) }.sorted { $0.moment < $1.moment }
        var result = sources
        for (file, replacement) in zip(files, dated) { result[file.offset] = replacement.source }
        return result
    }

    private static func generated(_ source: FeedSource) -> Timestamp {
        guard let bytes = try? source.contents(), let snapshot = try? FeedSnapshot(bytes, source: "")
        else { return Timestamp(milliseconds: .max) }
        return snapshot.envelope.generated ?? Timestamp(milliseconds: .max)
    }
}
