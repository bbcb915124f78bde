import ArgumentParser

/// Why a command cannot take a filter that `list` has.
enum FilterRefusal {
    /// The sentence about the filter `name`, which `command` does not have; nil if it is none, or has no reason.
    static func sentence(about name: String, for command: any ParsableCommand.Type) -> String? {
        let groups: [any ParsableArguments.Type] = [FilterOptions.self, OriginTimeOptions.self]
        guard groups.contains(where: { FamiliarName.optionNames(of: $0).contains(name) }) else { return nil }
        if command == BackfillCommand.self {
            return
                "The event service cannot filter by '\(name)'; `quakes list \(name)` filters what a backfill has brought."
        }
        if command == ChangesCommand.self {
            return "`quakes changes` has no '\(name)': its --since is the time of a change, not of a quake. "
                + "`quakes diff` has both times of quakes."
        }
        return nil
    }
}
