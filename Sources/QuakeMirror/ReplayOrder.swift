public import QuakeFeed
import QuakeModel

/// In which order several sources are applied.
public enum ReplayOrder {
    /// Files by the moment they were generated, so that years of kept snapshots become a history in the right order; all
    /// other sources where they were named. Files that cannot be read come last and fail when their turn comes.
    public static func sorted(_ sources: [FeedSource]) -> [FeedSource] {
        guard sources.count > 1 else { return sources }
        // A pipe can be read only once, when its turn comes.
        let files = sources.enumerated().filter { $0.element.isRegularFile }
        let dated = files.map { file in (source: file.element, moment: generated(file.element), offset: file.offset) }
            .sorted { left, right in
                left.moment != right.moment ? left.moment < right.moment : left.offset < right.offset
            }
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
