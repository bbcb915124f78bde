import ArgumentParser

/// Why a command cannot take a filter that `list` has.
enum FilterRefusal {
    /// The sentence about the filter `name`, which `command` does not have; nil if it is none, or has no reason.
    static func sentence(about name: String, for command: any ParsableCommand.Type) -> String? {
        let groups: [any ParsableArguments.Type] = [FilterOptions.self, OriginTimeOptions.self]
        guard groups.contains(where: { FamiliarName.optionNames(of: $0).contains(name) }) else { return nil }
        if command == BackfillCommand.self {
            return
                "The event service cannot filter by '\(name)'; apply it with `quakes list \(name)` after the backfill."
        }
        if command == ChangesCommand.self {
            return "`quakes changes` has no '\(name)': its --since means the time of the change, not of the quake. "
                + "`quakes diff` filters by origin time."
        }
        return nil
    }
}
