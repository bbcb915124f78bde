import ArgumentParser
import QuakeStore

struct RelevanceOptions: ParsableArguments {
    @OptionGroup(title: "Which changes") var kinds: ChangeKindOptions

    @Option(
        "--author <name>", "Only changes by these authors, such as quakes.undo (comma-separated or repeated).",
        transform: { $0 })
    var authors: [String] = []

    @Option("--id <id>", "Only quakes with one of these current or former ids.", transform: { $0 })
    var ids: [String] = []

    @Option(
        "--max-origin-age <age>",
        """
        Skip a quake that is new, or newly matches the filters, if it happened more than this long (such as 30d) \
        before the change was recorded, or if its origin time is in the future. Other changes are never skipped.
        """, transform: Duration.parse)
    var maximumOriginAge: Duration?

    /// The ids of `--id`, each of which may have been given as the URL of an event page.
    var quakeIDs: Set<String> { Set(NameList.set(ids).map(\.quakeIDArgument)) }

    /// Returns a remark on ids that no quake in the cache has or had; nil if there are none.
    func unknownIDs(in context: QuakeContext?) throws -> String? {
        let unknown = try NameList.set(ids).sorted().filter { try context?.key(ofID: $0.quakeIDArgument) == nil }
        guard !unknown.isEmpty else { return nil }
        return "no quake in the cache has the current or former id "
            + TerminalText.sanitized(unknown.joined(separator: " or "))
    }

    /// Returns the history query for `filter` and these options, except the ids.
    func descriptor(filter: QuakeFilter) -> HistoryDescriptor {
        var descriptor = HistoryDescriptor()
        descriptor.filter = filter
        kinds.restrict(&descriptor)
        descriptor.authors = NameList.set(authors)
        descriptor.maximumOriginAge = maximumOriginAge
        return descriptor
    }
}
